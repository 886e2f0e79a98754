/**
 * What every protocol's decoder must do, as tests: no stream makes it throw, leaves something open,
 * or is read differently for being cut elsewhere. Call it from the test file of a protocol; it knows
 * none of them and has no test of its own.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UiChunk } from "@galley/parts";
import fc from "fast-check";
import type { Protocol } from "./protocol.ts";
import { decodeWith, recordingsIn } from "./replay.test.ts";
import { readStream } from "./sse.ts";

type Subject = {
  readonly protocol: Pick<Protocol, "id" | "decoding">;
  /** Its recordings. */
  readonly folder: URL;
  /** Events that look like the provider's, with fields of any type. */
  readonly event: fc.Arbitrary<unknown>;
  /** The types of all chunks of an answer that fails before its step begins. */
  readonly withoutStep: readonly UiChunk["type"][];
};

/** The ways in which servers write an event. */
const FRAMINGS: readonly ((data: string) => string)[] = [
  (data) => `data: ${data}\n\n`,
  (data) => `data: ${data}\r\n\r\n`,
  (data) => `event: x\r\ndata: ${data}\r\n\r\n`,
];

export function decoderContract(subject: Subject): void {
  describe(`${subject.protocol.id} keeps the decoder contract`, () => {
    recordingContract(subject);
    hostileContract(subject);
  });
}

function recordingContract({ protocol, folder, withoutStep }: Subject): void {
  const recordings = recordingsIn(folder);

  test("the same bytes cut anywhere give the same chunks", () => {
    assert.notEqual(recordings.length, 0);
    for (const events of recordings) {
      const whole = decodeWith(protocol.decoding)(events);
      assertSound(whole, withoutStep);
      for (const frame of FRAMINGS) {
        const bytes = encode(events.map(frame).join(""));
        fc.assert(
          fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
            assert.deepEqual(read(protocol, cut(bytes, cuts)), whole);
          }),
        );
      }
    }
  });

  test("a recording that ends anywhere still ends soundly", () => {
    assert.notEqual(recordings.length, 0);
    for (const events of recordings) {
      const bytes = encode(events.map((data) => `data: ${data}\r\n\r\n`).join(""));
      // Every seventh byte: often enough to end inside whatever an event is made of.
      for (let end = 0; end <= bytes.length; end += 7) {
        assertSound(read(protocol, [bytes.subarray(0, end)]), withoutStep);
      }
    }
  });
}

function hostileContract({ protocol, event, withoutStep }: Subject): void {
  test("no events make the decoder throw or leave something open", () => {
    const data = fc.oneof(
      { weight: 40, arbitrary: event.map((each) => JSON.stringify(each)) },
      { weight: 1, arbitrary: fc.constantFrom("[DONE]", "[]", "null", "") },
      { weight: 1, arbitrary: fc.json() },
      { weight: 1, arbitrary: fc.string() },
    );
    const streams = fc.array(data, { maxLength: 30 });
    fc.assert(
      fc.property(streams, fc.constantFrom(...FRAMINGS), (events, frame) => {
        assertSound(decodeWith(protocol.decoding)(events), withoutStep);
        assertSound(read(protocol, [encode(events.map(frame).join(""))]), withoutStep);
      }),
      { numRuns: 1000 },
    );
  });

  test("no bytes make the reader throw or leave something open", () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const line = fc.string().map((text) => encode(`data: ${text}\n\n`));
    for (const any of [bytes, line]) {
      fc.assert(fc.property(any, (given) => assertSound(read(protocol, [given]), withoutStep)));
    }
  });
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Two cuts at one place make an empty piece. */
function cut(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}

function read(protocol: Subject["protocol"], pieces: readonly Uint8Array[]): UiChunk[] {
  const reader = readStream(protocol);
  return [...pieces.flatMap((bytes) => reader.push(bytes)), ...reader.end()];
}

/** The step begins first and once, and the answer ends finished or with an error that is shown. */
function assertSound(chunks: readonly UiChunk[], withoutStep: Subject["withoutStep"]): void {
  assertClosed(chunks);
  const types = chunks.map(({ type }) => type);
  if (types[0] !== "start-step") assert.deepEqual(types, withoutStep);
  assert.ok(types.lastIndexOf("start-step") <= 0, types.join(" "));
  assert.match(types.at(-1) ?? "", /^(finish-step|error)$/);
}

/** Chunks of the UI's schema, in which every text and thought that starts ends, and once. */
export function assertClosed(chunks: readonly UiChunk[]): void {
  const open = new Set<string>();
  for (const chunk of chunks) {
    UiChunk.parse(chunk);
    const [, kind, edge] = /^(text|reasoning)-(start|delta|end)$/.exec(chunk.type) ?? [];
    if (kind === undefined) continue;
    const key = `${kind} ${"id" in chunk ? chunk.id : ""}`;
    assert.equal(open.has(key), edge !== "start", `${edge} of ${key}`);
    if (edge === "start") open.add(key);
    if (edge === "end") open.delete(key);
  }
  assert.deepEqual([...open], []);
}
