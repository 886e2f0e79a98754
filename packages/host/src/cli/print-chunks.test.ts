import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import { memoryIo } from "../testing/memory-io.ts";
import { type PrinterOptions, printerOf } from "./print-chunks.ts";

type Given = Parameters<typeof memoryIo>[0];

async function print(chunks: readonly UiChunk[], given: Given = {}, options: PrinterOptions = {}) {
  const io = memoryIo(given);
  const printer = printerOf(io, options);
  for (const chunk of chunks) await printer.print(chunk);
  return { code: await printer.end(), ...io.printed() };
}

const text = (id: string, delta: string): UiChunk[] => [
  { type: "text-start", id },
  { type: "text-delta", id, delta },
  { type: "text-end", id },
];

const call = (toolName: string, input: UiChunk["input"]): UiChunk =>
  ({ type: "tool-input-available", toolCallId: "call_1", toolName, input }) as UiChunk;

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
  const dimmed = "\u001b[2mhm\u001b[22m\u001b[2m\n\u001b[22m";
  assert.equal((await print(chunks, terminal)).stderr, dimmed);
  assert.equal((await print(chunks, { ...terminal, env: { NO_COLOR: "1" } })).stderr, "hm\n");
});

test("an answer cannot steer a terminal, and reaches a file to the byte", async () => {
  const hostile = text("0", "a\u001b]0;title\u0007b\tc\r\n");
  assert.equal((await print(hostile)).stdout, "a\u001b]0;title\u0007b\tc\r\n");
  const shown = await print(hostile, { outIsTerminal: true });
  assert.equal(shown.stdout, "a\ufffd]0;title\ufffdb\tc\ufffd\n");
});

test("what went wrong decides the code, and is said once, with what to do", async () => {
  const chunks: UiChunk[] = [
    ...text("0", "part"),
    { type: "error", errorText: "lost\nit" },
    { type: "error", errorText: "again" },
  ];
  const failed = await print(chunks);
  assert.deepEqual(failed, { code: 1, stdout: "part\n", stderr: "galley: lost it\n" });
  const mended = await print(chunks, {}, { mend: "try again" });
  assert.equal(mended.stderr, "galley: lost it (try again)\n");
  assert.equal((await print([{ type: "abort" }])).code, 130);
});

test("what the answer lacks is said beside it", async () => {
  const cut = await print([{ type: "finish", finishReason: "length" }]);
  const stderr = "galley: the answer was cut at its limit\n";
  assert.deepEqual(cut, { code: 0, stdout: "", stderr });
  const file = { type: "file", url: "data:,", mediaType: "image/png" } as const;
  assert.match((await print([file])).stderr, /the model sent a file \(image\/png\)/);
});

test("tools are shown to who watches, in one line each", async () => {
  const chunks: UiChunk[] = [
    call("read", { path: "a\u001b" }),
    { type: "tool-output-error", toolCallId: "call_1", errorText: "no such file" },
  ];
  assert.equal((await print(chunks)).stderr, "");
  const shown = await print(chunks, { errIsTerminal: true, env: { NO_COLOR: "1" } });
  assert.equal(shown.stderr, 'read {"path":"a\\u001b"}\n  failed: no such file\n');
});

test("as JSON every chunk is a line, and nothing is lost of it", async () => {
  const odd = { type: "data-odd", data: "\n" } as unknown as UiChunk;
  const { stdout, code } = await print([odd, { type: "abort" }], {}, { json: true });
  assert.deepEqual([stdout, code], ['{"type":"data-odd","data":"\\n"}\n{"type":"abort"}\n', 130]);
});

test("a question that stays open is printed with how to answer it", async () => {
  const questions = [
    { question: "Which?", options: [{ label: "a" }, { label: "b\u001b" }] },
    { question: "Why?" },
  ];
  const { stderr, code } = await print([call("question", { questions })], {}, { session: "ses_1" });
  assert.equal(code, 0);
  assert.equal(
    stderr,
    "galley: Which? (a | b\\u001b)\ngalley: Why?\ngalley: galley session answer ses_1 call_1 ANSWER1 ANSWER2\n",
  );
});

test("a question that was answered is not asked again", async () => {
  const chunks: UiChunk[] = [
    call("question", { questions: [{ question: "Which?" }] }),
    { type: "tool-output-available", toolCallId: "call_1", output: {} },
  ];
  assert.equal((await print(chunks, {}, { session: "ses_1" })).stderr, "");
});

test("an approval names the call, its input and both answers", async () => {
  const chunks: UiChunk[] = [
    call("write", { path: "a" }),
    { type: "tool-approval-request", approvalId: "ap", toolCallId: "call_1" },
  ];
  const { stderr } = await print(chunks, {}, { session: "ses_1" });
  assert.equal(
    stderr,
    'galley: may it call write with {"path":"a"}?\ngalley: galley session answer ses_1 call_1 --allow, or --deny\n',
  );
});
