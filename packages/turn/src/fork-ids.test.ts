import assert from "node:assert/strict";
import { test } from "node:test";
import { rewriteIds } from "./fork-ids.ts";

const IDS = new Map([
  ["msg_a", "msg_A"],
  ["prt_b", "prt_B"],
]);

const rows: readonly (readonly [name: string, before: string, after: string])[] = [
  [
    "a reference leads to the copy",
    '{"type":"data-compaction","data":{"tail_start_id":"msg_a"}}',
    '{"type":"data-compaction","data":{"tail_start_id":"msg_A"}}',
  ],
  [
    "a list of references too",
    '{"message_ids":["msg_a","msg_x"]}',
    '{"message_ids":["msg_A","msg_x"]}',
  ],
  ["a reply", '{"in_reply_to":"msg_a"}', '{"in_reply_to":"msg_A"}'],
  ["a part", '{"target":{"kind":"node","id":"prt_b"}}', '{"target":{"kind":"node","id":"prt_B"}}'],
  ["what was not copied stays", '{"tail_start_id":"msg_z"}', '{"tail_start_id":"msg_z"}'],
  ["words stay words", '{"type":"text","text":"msg_a"}', '{"type":"text","text":"msg_a"}'],
  [
    "quoted words too",
    '{"text":"\\"msg_a\\"","id":"prt_b"}',
    '{"text":"\\"msg_a\\"","id":"prt_B"}',
  ],
  ["a model's input stays", '{"input":{"message_id":"msg_a"}}', '{"input":{"message_id":"msg_a"}}'],
  [
    "a tool's output stays",
    '{"output":{"data":[{"id":"msg_a"}]}}',
    '{"output":{"data":[{"id":"msg_a"}]}}',
  ],
  ["a name is no reference", '{"name":"msg_a"}', '{"name":"msg_a"}'],
  ["a key is no value", '{"msg_a":1,"id":"msg_a"}', '{"msg_a":1,"id":"msg_A"}'],
  ["a key after a list is its own", '{"x_ids":[],"name":"msg_a"}', '{"x_ids":[],"name":"msg_a"}'],
  [
    "blanks, large numbers and escapes keep their bytes",
    '{ "n" : 12345678901234567890.10, "s":"\\u0041\\\\", "id" : "msg_a" }',
    '{ "n" : 12345678901234567890.10, "s":"\\u0041\\\\", "id" : "msg_A" }',
  ],
];

for (const [name, before, after] of rows) {
  test(`ids in a copy: ${name}`, () => assert.equal(rewriteIds(before, IDS), after));
}

test("a megabyte of text is walked past", () => {
  const text = '\\\\\\"x'.repeat(200_000);
  const json = `{"text":"${text}","id":"msg_a"}`;
  assert.equal(rewriteIds(json, IDS), `{"text":"${text}","id":"msg_A"}`);
});
