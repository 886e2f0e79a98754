import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "../store.ts";
import { StoreError } from "../store-error.ts";
import { exportSession } from "../transfer/export.ts";
import { importSession } from "../transfer/import.ts";
import { answer, type MakeStore, newPart, onStore, queued, usage, userMessage } from "./kit.ts";

const attachment = (content_id: string) =>
  `{ "type":"file-attachment", "name":"a", "mime":"x/y", "content_id":"${content_id}", "n":1.0 }`;

/** One of everything: fired, waiting, cancelled and hidden rows, records, shared texts, blobs. */
async function everything(store: Store): Promise<void> {
  const content_id = await store.blobs.put(new Uint8Array([1, 2, 255]), 3);
  const system_prompt_digest = await store.systemPrompts.keep({
    kind: "system",
    body: "Be.",
    at: 3,
  });
  await store.messages.admit(userMessage("a", { parts: [newPart(attachment(content_id))] }));
  await store.messages.begin(answer("b"));
  const call = '{"type":"tool-x","toolCallId":"c","state":"input-available"}';
  await store.parts.upsert([
    { id: "prt_step", message_id: "msg_b", index: 0, data_json: '{"type":"step-start"}', at: 21 },
    { id: "prt_call", message_id: "msg_b", index: 1, data_json: call, at: 22 },
  ]);
  const metadata = { usage: usage(7), cost_usd: 0.125, system_prompt_digest };
  await store.messages.end("msg_b", { reason: "finish", metadata, at: 23 });
  for (const name of ["c", "d", "e"]) await store.messages.admit(queued(name));
  await store.queue.move("msg_e", { before: "msg_d", at: 24 });
  await store.queue.cancel("msg_c", 25);
  await store.messages.begin(answer("f"));
  const rewind = { id: "r1", session_id: "ses_main", to_message_id: "msg_f", at: 26 };
  await store.messages.rewind({ ...rewind, inclusive: true });
  const ids = { session_id: "ses_main", message_id: "msg_a", created_at: 27 };
  await store.lowerings.keep({ ...ids, part: 0, record_json: `{"content_id":"${content_id}"}` });
  const round = { ...ids, turn: 1, round: 1 };
  await store.manifests.put({ ...round, manifest_json: '{"blocks":[]}' });
  const sent = { model: "m", method: "POST", url: "u", headers_json: "{}" };
  await store.requests.put({ ...round, ...sent, body: new Uint8Array([9, 8]) });
}

async function printed(store: Store, blobs: boolean): Promise<string> {
  let text = "";
  for await (const line of exportSession(store, "ses_main", { blobs })) text += line;
  return text;
}

export function transferContract(makeStore: MakeStore): void {
  const on = (name: string, run: Parameters<typeof onStore>[1]) =>
    test(name, onStore(makeStore, run));

  async function inNewStore(run: (store: Store) => Promise<void>): Promise<void> {
    const other = await makeStore();
    try {
      await run(other);
    } finally {
      await other.close();
    }
  }

  for (const blobs of [false, true]) {
    on(`an export ${blobs ? "with" : "without"} blobs comes back to the byte`, async (store) => {
      await everything(store);
      const before = await printed(store, blobs);
      await inNewStore(async (other) => {
        assert.equal(await importSession(other, before), "ses_main");
        assert.equal(await printed(other, blobs), before);
        assert.deepEqual(await other.check(), []);
      });
    });
  }

  on("an export has its rows in order, the session first", async (store) => {
    await everything(store);
    const lines = (await printed(store, true)).split("\n").filter(Boolean);
    const names = lines.map((text) => {
      const { type, data } = JSON.parse(text);
      return `${type} ${data.kind ?? data.id ?? data.turn ?? data.content_id.slice(0, 9)}`;
    });
    assert.deepEqual(
      names.map((name) => name.replace(/prt_\d+/, "prt_n")),
      [
        ["session ses_main", "message msg_a", "part prt_n"],
        ["message msg_b", "part prt_step", "part prt_call", "message msg_f"],
        [
          "message msg_e",
          "part prt_n",
          "message msg_d",
          "part prt_n",
          "message msg_c",
          "part prt_n",
        ],
        ["manifest 1", "trace lowering", "trace system-prompt", "trace request", "blob sha256:05"],
      ].flat(),
    );
    assert.equal(JSON.parse(lines[0] ?? "").lines, 18);
  });

  on("an imported session lives on: its queue fires and its blobs are freed", async (store) => {
    await everything(store);
    const text = await printed(store, true);
    await inNewStore(async (other) => {
      await importSession(other, text);
      assert.equal((await other.queue.fire("msg_e", 70))?.seq, 4);
      const [content_id = ""] = await other.blobs.heldBy("ses_main");
      assert.equal((await other.blobs.info(content_id))?.holders, 2);
      await other.sessions.delete("ses_main");
      assert.equal(await other.blobs.get(content_id), undefined);
    });
  });

  on("a session is not imported over one that is there", async (store) => {
    await everything(store);
    const text = await printed(store, false);
    await assert.rejects(importSession(store, text), {
      code: "store.import-refused",
      message: "line 1: ses_main is already a session. Nothing was imported",
    });
    assert.equal(await printed(store, false), text);
  });

  on("a session is stored as whoever receives it says, and the rest as it came", async (store) => {
    await everything(store);
    const text = await printed(store, true);
    await inNewStore(async (other) => {
      const seen: unknown[] = [];
      await importSession(other, text, {
        async receive({ session, messages, parts }, tables) {
          seen.push(messages.length, parts.length, await tables.sessions.get("ses_main"));
          assert.equal(session.metadata_json, "{}");
          return { metadata: { pause: { reason: "hold" } } };
        },
      });
      assert.deepEqual(seen, [6, 6, undefined]);
      const held = String.raw`"metadata_json":"{\"pause\":{\"reason\":\"hold\"}}"`;
      assert.equal(await printed(other, true), text.replace('"metadata_json":"{}"', held));
    });
  });

  on("a large import lets everybody else in the process go on", async (store) => {
    await everything(store);
    const lines = (await printed(store, false)).split("\n");
    const part = JSON.parse(lines[5] ?? "");
    const more = Array.from({ length: 1000 }, (_, nth) => {
      const fresh = { id: `prt_more_${nth}`, index: nth + 2, tool_call_id: null };
      return JSON.stringify({ ...part, data: { ...part.data, ...fresh } });
    });
    const head = (lines[0] ?? "").replace('"lines":17', '"lines":1017');
    const text = [head, ...lines.slice(1, 6), ...more, ...lines.slice(6)].join("\n");
    await inNewStore(async (other) => {
      let turns = 0;
      const count = (): void => {
        turns += 1;
        next = setImmediate(count);
      };
      let next = setImmediate(count);
      try {
        await importSession(other, text);
      } finally {
        clearImmediate(next);
      }
      // A slice of the reading or of the writing is at most 200 lines.
      assert.ok(turns >= 10, `${turns} turns of the loop`);
    });
  });

  on("an export of a session that is not there is refused", async (store) => {
    await assert.rejects(exportSession(store, "ses_no").next(), (error) =>
      StoreError.is(error, "missing"),
    );
  });

  on("a file that is broken anywhere is refused whole, with the line", async (store) => {
    await everything(store);
    const text = await printed(store, true);
    const cases = broken(text);
    for (const [name, [file, line, issue]] of Object.entries(cases)) {
      await inNewStore(async (other) => {
        await assert.rejects(
          importSession(other, file),
          { code: "store.import-refused", message: `line ${line}: ${issue}. Nothing was imported` },
          name,
        );
        assert.equal(await other.sessions.get("ses_main"), undefined, name);
        assert.deepEqual(await other.queue.sessions(), [], name);
        assert.equal(await other.blobs.sweep(1e9), 0, name);
      });
    }
  });
}

/** Name → the broken file, the line that shows it, and what is said. */
function broken(text: string): Record<string, [file: string, line: number, issue: string]> {
  const lines = text.trimEnd().split("\n");
  const without = (line: number) => lines.toSpliced(line - 1, 1).join("\n");
  const changed = (line: number, from: string, to: string) => {
    assert.ok(lines[line - 1]?.includes(from), `line ${line} has ${from}`);
    return lines.with(line - 1, (lines[line - 1] ?? "").replace(from, to)).join("\n");
  };
  return {
    empty: ["", 1, "the file is empty"],
    "cut at a line": [
      lines.slice(0, 10).join("\n"),
      11,
      "the file was written with 18 lines and has 10",
    ],
    "a line left out": [without(6), 18, "the file was written with 18 lines and has 17"],
    "no session": [without(1), 1, "the first line is not a session"],
    "two sessions": [lines.with(4, lines[0] ?? "").join("\n"), 5, "a file holds one session"],
    "not JSON": [changed(4, '"assistant"', "assistant"), 4, "the line: it is not JSON"],
    "no such type": [changed(6, '"part"', '"port"'), 6, '"port" is not a type of line'],
    "a bad role": [
      changed(4, '"assistant"', '"robot"'),
      4,
      'role: Invalid option: expected one of "user"|"assistant"|"system"',
    ],
    "a key of the future": [
      changed(4, '"role"', '"mood":1,"role"'),
      4,
      "mood has no place here, and would be lost; a newer program wrote it",
    ],
    "another session's row": [changed(4, "ses_main", "ses_x"), 4, "session_id is not ses_main"],
    "a part of another message": [without(4), 4, "the part does not follow its message"],
    "orders that fall": [
      changed(4, '"seq":2', '"seq":1'),
      4,
      "seq does not grow from message to message",
    ],
    "an order that leaves no room": [
      changed(4, '"seq":2', '"seq":9007199254740991'),
      4,
      "seq is more than 1099511627776",
    ],
    "a number that cannot be added to": [
      changed(1, '"cost_usd":0.125', '"cost_usd":1e300'),
      1,
      "cost_usd is more than 1125899906842624",
    ],
    "a part that nests without end": [
      changed(
        6,
        '\\"toolCallId\\"',
        `\\"deep\\":${"[".repeat(1000)}${"]".repeat(1000)},\\"toolCallId\\"`,
      ),
      6,
      "data_json nests more than 1000 levels deep",
    ],
    "neither fired nor waiting": [
      changed(4, '"seq":2', '"seq":null'),
      4,
      "a message has fired, waits or is cancelled: one of the three",
    ],
    "an index twice": [
      changed(6, '"index":1', '"index":0'),
      6,
      "index does not grow from part to part",
    ],
    "a type that lies": [
      changed(6, '"type":"tool-x"', '"type":"tool-y"'),
      6,
      "type is not the type in data_json",
    ],
    "metadata that is none": [
      changed(4, '"metadata_json":"{', '"metadata_json":"['),
      4,
      "a message's metadata_json: it is not JSON",
    ],
    "a blob that is another": [
      changed(18, '"AQL/"', '"AQL+"'),
      18,
      "content_id is not the hash of data",
    ],
    "a request that is another": [
      changed(17, '"CQg="', '"CQk="'),
      17,
      "request 1.1: its bytes do not have the hash that stands beside them",
    ],
    "a text that is another": [changed(16, '"Be."', '"Be!"'), 16, "digest is not the hash of body"],
  };
}
