/** Bytes to chunks: the network may cut anywhere, and nothing depends on where. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import fc from "fast-check";
import { anthropicMessages } from "./anthropic/protocol.ts";
import type { Decoding, WireEvent } from "./protocol.ts";
import { readStream } from "./sse.ts";

function readIn(pieces: readonly Uint8Array[], protocol: { decoding: Decoding }): UiChunk[] {
  const reader = readStream(protocol);
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

function split(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const cuts = [
    0,
    ...at.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  return cuts.slice(1).map((to, index) => bytes.subarray(cuts[index], to));
}

const folder = new URL("./anthropic/recordings/", import.meta.url);

function streamOf(name: string, newline: string): Uint8Array {
  const events = readFileSync(new URL(name, folder), "utf8").trimEnd().split("\n");
  const lines = events.map((data) => `event: e${newline}data: ${data}${newline}${newline}`);
  return new TextEncoder().encode(lines.join(""));
}

for (const name of readdirSync(folder)) {
  test(`${name} gives the same chunks wherever its bytes are cut`, () => {
    const bytes = streamOf(name, "\n");
    const whole = readIn([bytes], anthropicMessages);
    assert.ok(whole.length > 1);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), (at) => {
        assert.deepEqual(readIn(split(bytes, at), anthropicMessages), whole);
      }),
    );
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    assert.deepEqual(readIn(single, anthropicMessages), whole);
    assert.deepEqual(readIn([streamOf(name, "\r\n")], anthropicMessages), whole);
  });
}

/** Shows each event as a chunk, so that the framing can be seen. */
const echo = (seen: readonly string[] = []): Decoding => ({
  push: ({ data }: WireEvent) => [echo([...seen, data]), [{ type: "error", errorText: data }]],
  end: () => [{ type: "abort", reason: String(seen.length) }],
});
const events = (text: string): (string | undefined)[] =>
  readIn([new TextEncoder().encode(text)], { decoding: echo() }).map((chunk) =>
    chunk.type === "error" ? chunk.errorText : chunk.type === "abort" ? chunk.reason : "",
  );

test("comments are no events, and lines of data make one event", () => {
  assert.deepEqual(events(": keep-alive\n\ndata: a\ndata: b\n\ndata:c\n\n"), ["a\nb", "c", "2"]);
});

test("an event without its blank line did not arrive", () => {
  assert.deepEqual(events("data: a\n\ndata: b\n"), ["a", "1"]);
});

test("a byte-order mark before the first event is not part of it", () => {
  assert.deepEqual(events("\ufeffdata: a\n\n"), ["a", "1"]);
});
