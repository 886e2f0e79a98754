/** Numbers: output, context, thinking, sampling, cache markers. */
import { test } from "node:test";
import { base, budget, long, mark, refusesWith, say, talk, text } from "./sample.ts";

const BAD: readonly [body: unknown, message: string][] = [
  [
    { ...base, max_tokens: 9000 },
    "max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens for default",
  ],
  [{ ...base, thinking: budget }, "`max_tokens` must be greater than `thinking.budget_tokens`."],
  [
    { ...base, max_tokens: 2000, thinking: budget, temperature: 0 },
    "`temperature` may only be set to 1 when thinking is enabled.",
  ],
  [
    { ...base, max_tokens: 2000, thinking: budget, top_k: 4 },
    "`top_k` must be unset when thinking is enabled.",
  ],
  [
    { ...base, max_tokens: 2000, thinking: budget, top_p: 0.5 },
    "`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.",
  ],
  [
    { ...say(text("a", mark), text("b", mark), text("c", mark), text("d", mark)), ...mark },
    "A maximum of 4 blocks with cache_control may be provided. Found 5.",
  ],
  [
    say(text("a", mark), text("b", long)),
    "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block",
  ],
  [
    { ...base, stop_sequences: [" "] },
    "stop_sequences: each stop sequence must contain non-whitespace",
  ],
  [
    talk({ role: "user", content: "word".repeat(200_001) }),
    "prompt is too long: 200001 tokens > 200000 maximum",
  ],
];

for (const [body, message] of BAD) {
  test(`Anthropic refuses: ${message.slice(0, 90)}`, () => refusesWith(body, message));
}
