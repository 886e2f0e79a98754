/** Fields of the Messages API: missing, unknown, of the wrong type. */
import { test } from "node:test";
import {
  assistant,
  base,
  budget,
  hi,
  mark,
  refusesWith,
  say,
  talk,
  text,
  thinking,
} from "./sample.ts";

const BAD: readonly [body: unknown, message: string][] = [
  [{ ...base, max_tokens: undefined }, "max_tokens: Field required"],
  [{ ...base, model: undefined }, "model: Field required"],
  [{ ...base, messages: undefined }, "messages: Field required"],
  [{ ...base, n: 2 }, "n: Extra inputs are not permitted"],
  [{ ...base, max_tokens: "9" }, "max_tokens: Input should be a valid integer"],
  [{ ...base, stream: "yes" }, "stream: Input should be a valid boolean"],
  [{ ...base, temperature: 1.5 }, "temperature: Input should be less than or equal to 1"],
  [talk({ ...hi, name: "me" }), "messages.0.name: Extra inputs are not permitted"],
  [
    talk({ role: "tool", content: "x" }),
    "messages.0.role: Input should be 'user', 'assistant' or 'system'",
  ],
  [say({ text: "hi" }), "messages.0.content.0.type: Field required"],
  [say(text("hi", { id: "x" })), "messages.0.content.0.text.id: Extra inputs are not permitted"],
  [
    { ...base, thinking: { ...budget, budget_tokens: 10 } },
    "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
  ],
  [
    talk(hi, assistant({ type: "thinking", thinking: "hm" }), hi),
    "messages.1.content.0.thinking.signature: Field required",
  ],
  [
    talk(hi, assistant({ ...thinking("hm"), ...mark }), hi),
    "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted",
  ],
];

for (const [body, message] of BAD) {
  test(`Anthropic refuses: ${message.slice(0, 90)}`, () => refusesWith(body, message));
}
