import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import { memoryIo } from "../testing/memory-io.ts";
import { textPrinter } from "./send.ts";

async function print(chunks: readonly UiChunk[], given: Parameters<typeof memoryIo>[0] = {}) {
  const io = memoryIo(given);
  const printer = textPrinter(io);
  for (const chunk of chunks) await printer.print(chunk);
  return { code: await printer.end(), ...io.printed() };
}

const text = (id: string, delta: string): UiChunk[] => [
  { type: "text-start", id },
  { type: "text-delta", id, delta },
  { type: "text-end", id },
];

test("texts are told apart by a blank line, and the last one ends its line", async () => {
  const printed = await print([...text("0", "one"), ...text("1", "two\n"), ...text("2", "three")]);
  assert.deepEqual(printed, { code: 0, stdout: "one\n\ntwo\n\nthree\n", stderr: "" });
});

test("an answer of nothing prints nothing", async () => {
  assert.deepEqual(await print([{ type: "finish" }]), { code: 0, stdout: "", stderr: "" });
});

test("reasoning goes dimmed to a terminal and nowhere else, and NO_COLOR leaves it plain", async () => {
  const chunks: UiChunk[] = [
    { type: "reasoning-delta", id: "0", delta: "hm" },
    { type: "reasoning-end", id: "0" },
  ];
  assert.equal((await print(chunks)).stderr, "");
  const terminal = { errIsTerminal: true };
  assert.equal((await print(chunks, terminal)).stderr, "\u001b[2mhm\u001b[22m\n");
  assert.equal((await print(chunks, { ...terminal, env: { NO_COLOR: "1" } })).stderr, "hm\n");
});

test("an answer cannot steer a terminal, and reaches a file to the byte", async () => {
  const hostile = text("0", "a\u001b]0;title\u0007b\tc\r\n");
  assert.equal((await print(hostile)).stdout, "a\u001b]0;title\u0007b\tc\r\n");
  const shown = await print(hostile, { outIsTerminal: true });
  assert.equal(shown.stdout, "a\ufffd]0;title\ufffdb\tc\ufffd\n");
});

test("what went wrong decides the code, and is said once", async () => {
  const failed = await print([
    ...text("0", "part"),
    { type: "error", errorText: "lost\nit" },
    { type: "error", errorText: "again" },
  ]);
  assert.deepEqual(failed, { code: 1, stdout: "part\n", stderr: "galley: lost it\n" });
  assert.equal((await print([{ type: "abort" }])).code, 130);
});

test("what the answer lacks is said beside it", async () => {
  const cut = await print([{ type: "finish", finishReason: "length" }]);
  assert.deepEqual(cut, {
    code: 0,
    stdout: "",
    stderr: "galley: the answer was cut at its limit\n",
  });
  const input = {
    type: "tool-input-available",
    toolCallId: "c",
    toolName: "read",
    input: {},
  } as const;
  assert.match((await print([input])).stderr, /the model called read; no tools run here yet/);
  const file = { type: "file", url: "data:,", mediaType: "image/png" } as const;
  assert.match((await print([file])).stderr, /the model sent a file \(image\/png\)/);
});
