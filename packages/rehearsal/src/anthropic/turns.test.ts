/** Who speaks when, and empty or blank words. */
import { test } from "node:test";
import { seal } from "../seal.ts";
import { PNG } from "../trial.ts";
import {
  assistant,
  base,
  budget,
  call,
  hi,
  image,
  mark,
  refusesWith,
  result,
  say,
  talk,
  text,
  thinking,
  user,
} from "./sample.ts";

const BAD: readonly [body: unknown, message: string][] = [
  [talk(), "messages: at least one message is required"],
  [
    talk({ role: "assistant", content: "hi" }, hi),
    'messages: first message must use the "user" role',
  ],
  [
    talk(hi, assistant(text("a")), { role: "system", content: "b" }),
    "messages.2: role 'system' must immediately follow a 'user' message",
  ],
  [
    talk(user(), hi),
    "messages.0: all messages must have non-empty content except for the optional final assistant message",
  ],
  [say(text("")), "messages: text content blocks must be non-empty"],
  [say(text(" \n")), "messages: text content blocks must contain non-whitespace text"],
  [say(text("", mark)), "messages.0: cache_control cannot be set for empty text blocks"],
  [
    talk(hi, assistant(call("t1")), user(result("t1", { content: [text("")] }))),
    "messages: text content blocks must be non-empty",
  ],
  [{ ...base, system: [text("")] }, "system: text content blocks must be non-empty"],
  [
    talk(hi, { role: "assistant", content: "So " }),
    "messages: final assistant content cannot end with trailing whitespace",
  ],
  [talk(hi, assistant(image(PNG))), "messages.1: `image` blocks can only be in `user` messages"],
  [
    talk(hi, assistant(thinking("hm", seal("other"))), hi),
    "messages.1.content.0: Invalid `signature` in `thinking` block",
  ],
  [
    {
      ...base,
      max_tokens: 2000,
      thinking: budget,
      messages: [hi, { role: "assistant", content: "So" }],
    },
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).",
  ],
];

for (const [body, message] of BAD) {
  test(`Anthropic refuses: ${message.slice(0, 90)}`, () => refusesWith(body, message));
}
