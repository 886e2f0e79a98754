/** The forme: appending equals building anew, and what was handed out never changes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextMessage } from "@galley/assemble";
import type { UserPart } from "@galley/parts";
import fc from "fast-check";
import { anthropicMessages } from "./anthropic/protocol.ts";
import { defaultModel } from "./catalogue/lookup.ts";
import { createForme, type Forme, type RequestInput } from "./forme.ts";

const profile = defaultModel("anthropic");
const input: RequestInput = {
  layers: [{ id: "agent", text: "Du hilfst. 😀" }],
  tools: [],
  settings: { stream: true, cache: "auto" },
};
const off: RequestInput = { ...input, settings: { stream: true, cache: "off" } };

const said = (...texts: string[]): ContextMessage => ({
  role: "user",
  id: `msg_${texts.join("")}`.replace(/[^A-Za-z0-9_]/g, "x"),
  parts: texts.map((text) => ({ type: "text", text })),
  materials: [],
});
const answered = (text: string, id = "c1"): ContextMessage => ({
  role: "assistant",
  parts: [
    { type: "text", text },
    { type: "tool-read", toolCallId: id, state: "output-available", input: {}, output: text },
  ],
});
const build = (messages: readonly ContextMessage[]): Forme => {
  const forme = createForme(anthropicMessages, profile);
  for (const message of messages) forme.append(message);
  return forme;
};
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bodyOf = (forme: Forme, request = input): string => textOf(forme.request(request).body);

test("the body is head, messages and tail, with a marker at the end and before the newest message", () => {
  const body = bodyOf(build([said("Hi"), answered("ok"), said("Go")]));
  const mark = ',"cache_control":{"type":"ephemeral"}';
  assert.equal(
    body,
    `{"model":"claude-opus-5-5","max_tokens":128000,"system":[{"type":"text","text":"Du hilfst. 😀"${mark}}],"messages":[` +
      '{"role":"user","content":[{"type":"text","text":"Hi"}]},' +
      '{"role":"assistant","content":[{"type":"text","text":"ok"},{"type":"tool_use","id":"c1","name":"read","input":{}}]},' +
      `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"ok"}]${mark}},` +
      `{"type":"text","text":"Go"${mark}}]}],"stream":true}`,
  );
});

test("neighbours of one role share a message; an answer with nothing in it leaves no trace", () => {
  const silent: ContextMessage = { role: "assistant", parts: [{ type: "step-start" }] };
  const body = JSON.parse(bodyOf(build([said("a"), silent, said("b"), said("c")]), off));
  assert.deepEqual(body.messages, [
    {
      role: "user",
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
        { type: "text", text: "c" },
      ],
    },
  ]);
});

test("a blank layer is left out, and the marker stands on the last that is not", () => {
  const layers = [
    { id: "a", text: "One" },
    { id: "b", text: " \n" },
  ];
  const request = build([said("x")]).request({ ...input, layers });
  assert.deepEqual(JSON.parse(textOf(request.body)).system, [
    { type: "text", text: "One", cache_control: { type: "ephemeral" } },
  ]);
  assert.deepEqual(
    request.layers().map(({ layer }) => layer),
    ["a"],
  );
});

const word = fc.string({ maxLength: 12, unit: "binary" });
const userPart: fc.Arbitrary<UserPart> = fc.oneof(
  word.map((text): UserPart => ({ type: "text", text })),
  word.map((text): UserPart => ({ type: "x/y", text })),
  word.map((path): UserPart => ({ type: "file-ref", ref: { kind: "path", path } })),
  word.map(
    (kind): UserPart => ({
      type: "editor-context",
      kind,
      payload: { [kind]: kind },
      emitted_at: 0,
    }),
  ),
  fc.constant<UserPart>({ type: "mention", target: { kind: "skill", name: "s" } }),
);
const message: fc.Arbitrary<ContextMessage> = fc.oneof(
  fc.record({
    role: fc.constant("user" as const),
    parts: fc.array(userPart, { minLength: 1, maxLength: 4 }),
    materials: fc.constant([{ kind: "text", text: "é\n", size: 3 } as const]),
  }),
  fc.tuple(word, fc.uuid()).map(([text, id]) => answered(text, id)),
);
const history = fc.array(message, { minLength: 1, maxLength: 6 });

test("appending one by one gives the bytes of building from scratch", () => {
  fc.assert(
    fc.property(history, (messages) => {
      const grown = createForme(anthropicMessages, profile);
      for (const [index, each] of messages.entries()) {
        grown.append(each);
        assert.equal(bodyOf(grown), bodyOf(build(messages.slice(0, index + 1))));
      }
    }),
  );
});

test("taking messages back and appending others gives the bytes of those others", () => {
  fc.assert(
    fc.property(history, history, fc.nat(6), (first, second, keep) => {
      const forme = build(first);
      forme.truncate(keep);
      assert.equal(forme.length, Math.min(keep, first.length));
      for (const each of second) forme.append(each);
      assert.equal(bodyOf(forme), bodyOf(build([...first.slice(0, keep), ...second])));
    }),
  );
});

test("a request that is out does not change with what happens to its forme", () => {
  fc.assert(
    fc.property(history, history, fc.option(fc.nat(6)), (first, second, keep) => {
      const forme = build(first);
      const request = forme.request(input);
      const before = JSON.stringify([textOf(request.body), request.outcomes(), request.layers()]);
      const late = forme.request(input);
      if (keep !== null) forme.truncate(keep);
      for (const each of second) forme.append(each);
      forme.request(input);
      assert.equal(
        JSON.stringify([textOf(request.body), request.outcomes(), request.layers()]),
        before,
      );
      assert.equal(JSON.stringify([textOf(late.body), late.outcomes(), late.layers()]), before);
    }),
  );
});

test("the pieces of a request are its body, and the old conversation is one that is not copied", () => {
  fc.assert(
    fc.property(history, fc.constantFrom(input, off), (messages, request) => {
      const { body, chunks } = build(messages).request(request);
      assert.deepEqual(Buffer.concat(chunks), Buffer.from(body));
    }),
  );
  const forme = build([{ role: "user", parts: [{ type: "text", text: "a" }], materials: [] }]);
  const [, first] = forme.request(off).chunks;
  const [, second] = forme.request(off).chunks;
  assert.ok(first && first.length > 0);
  assert.equal(first.buffer, second?.buffer);
});

test("every range of every outcome is the JSON of its part, marked or not, in any script", () => {
  fc.assert(
    fc.property(history, fc.constantFrom(input, off), (messages, request) => {
      const { body, outcomes } = build(messages).request(request);
      const parts = messages.flatMap(({ parts }) => parts);
      assert.equal(outcomes().length, parts.length);
      for (const [index, { bytes, type, outcome }] of outcomes().entries()) {
        assert.equal(type, parts[index]?.type);
        assert.equal(bytes.length === 0, outcome === "resolved-out");
        for (const [from, to] of bytes) {
          const block = JSON.parse(textOf(body.subarray(from, to)));
          assert.ok(["text", "tool_use", "tool_result"].includes(block.type));
          if (type === "text") assert.equal(block.text, String(parts[index]?.text).toWellFormed());
        }
      }
    }),
  );
});

test("every range of a layer is the JSON of that layer", () => {
  const layers = ["Ä", "世界 😀", "c"].map((text, index) => ({ id: String(index), text }));
  const request = build([said("x")]).request({ ...input, layers });
  const slices = request
    .layers()
    .map(({ bytes: [from, to] }) => textOf(request.body.subarray(from, to)));
  assert.deepEqual(
    slices.map((slice) => JSON.parse(slice).text),
    ["Ä", "世界 😀", "c"],
  );
});

test("the marks are where the markers stand", () => {
  const request = build([said("ä"), answered("ö"), said("ü")]).request(input);
  const mark = ',"cache_control":{"type":"ephemeral"}';
  const found = request.marks.map((at) => textOf(request.body.subarray(at, at + mark.length)));
  assert.deepEqual(found, [mark, mark]);
  assert.deepEqual(build([said("a")]).request(off).marks, []);
});

test("an outcome names the message it belongs to", () => {
  const outcomes = build([said("a"), answered("b")])
    .request(input)
    .outcomes();
  assert.deepEqual(
    outcomes.map(({ message_id, part }) => [message_id, part]),
    [
      ["msg_a", 0],
      [undefined, 0],
      [undefined, 1],
    ],
  );
});

test("a call's outcome has the bytes of the call and of its result", () => {
  const { body, outcomes } = build([said("a"), answered("b")]).request(input);
  const ranges = outcomes()[2]?.bytes ?? [];
  assert.deepEqual(
    ranges.map(([from, to]) => JSON.parse(textOf(body.subarray(from, to))).type),
    ["tool_use", "tool_result"],
  );
});

test("nothing to say is refused, by name", () => {
  const silent: ContextMessage = { role: "assistant", parts: [{ type: "step-start" }] };
  for (const forme of [build([]), build([silent])]) {
    assert.throws(() => forme.request(input), { code: "forme.empty" });
  }
});

test("a message is lowered once, however often it is built", () => {
  let lowered = 0;
  const counting = {
    ...anthropicMessages,
    encodeUser: (blocks: Parameters<typeof anthropicMessages.encodeUser>[0]) => {
      lowered += 1;
      return anthropicMessages.encodeUser(blocks);
    },
  };
  const cache = new WeakMap();
  const message = said("a");
  for (let round = 0; round < 3; round += 1) createForme(counting, profile, cache).append(message);
  assert.equal(lowered, 1);
});
