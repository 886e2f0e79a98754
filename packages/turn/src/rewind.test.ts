import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Stage as Kit,
  message,
  openStage,
  SESSION,
  scratchPath,
  shown,
  withParts,
} from "./stage.ts";
import { TurnError } from "./turn-error.ts";

const isTurn = (code: Parameters<typeof TurnError.is>[1]) => (error: unknown) =>
  TurnError.is(error, code);

/** Messages with their answers, one turn each; gives the ids of the messages. */
async function talk(kit: Kit, ...texts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const text of texts) {
    const from = kit.acts.length;
    ids.push((await kit.submit(text)).message_id);
    await answer(kit, from, `${text}!`);
  }
  return ids;
}

async function answer(kit: Kit, act: number, text: string): Promise<void> {
  const played = await kit.act(act);
  played.say(text);
  await played.end({ type: "finished" });
}

const seen = async (kit: Kit): Promise<string> => (await shown(kit.store)).join(" ");

test("resending hides what came after a message and answers it anew", async (t) => {
  const kit = await openStage(t);
  const [, two = ""] = await talk(kit, "one", "two", "three");
  const rewound = await kit.sessions.rewind(SESSION, two, "resend");
  assert.deepEqual([rewound.mode, rewound.message_id], ["resend", two]);
  assert.match(rewound.rewind_id ?? "", /^rewind_/);
  assert.equal(await seen(kit), "one one! two");
  await answer(kit, 3, "again");
  assert.equal(await seen(kit), "one one! two again");
});

test("the model is shown the branch that is visible, and nothing of the other", async (t) => {
  const kit = await openStage(t);
  const [one = "", two = ""] = await talk(kit, "one", "two", "three");
  const view = async (act: number) => {
    const { parts, claim } = await kit.act(act);
    const history = await parts.transcript.upTo(claim.message_id);
    return history.flatMap((each) => each.parts.map((part) => ("text" in part ? part.text : "")));
  };
  await kit.sessions.rewind(SESSION, two, "resend");
  assert.deepEqual(await view(3), ["one", "one!", "two"]);
  await answer(kit, 3, "anew");
  await kit.sessions.rewind(SESSION, one, "edit");
  await kit.sessions.unrewind(SESSION);
  await kit.submit("four");
  assert.deepEqual(await view(4), ["one", "one!", "two", "anew", "four"]);
});

test("editing hides the message too and gives its parts, attachments and references among them", async (t) => {
  const kit = await openStage(t);
  await talk(kit, "one");
  const parts = [
    { type: "text" as const, text: "look at this" },
    { type: "file-ref" as const, ref: { kind: "path" as const, path: "a.ts" } },
    {
      type: "file-attachment" as const,
      name: "big.bin",
      mime: "x/y",
      data: "AAAA".repeat(400_000),
    },
  ];
  const { message_id } = await kit.sessions.submit(SESSION, withParts(parts));
  await answer(kit, 1, "seen");
  const rewound = await kit.sessions.rewind(SESSION, message_id, "edit");
  assert.equal(await seen(kit), "one one!");
  assert.equal(rewound.mode, "edit");
  const draft = rewound.mode === "edit" ? rewound.draft.parts : [];
  assert.deepEqual(draft.slice(0, 2), parts.slice(0, 2));
  const { data, content_id, name, size } = draft[2] as Record<string, unknown>;
  assert.deepEqual([data, name, size], [undefined, "big.bin", 1_200_000]);
  assert.equal((await kit.store.blobs.get(String(content_id)))?.length, 1_200_000);
  await kit.sessions.submit(SESSION, withParts([...draft]));
  await answer(kit, 2, "seen again");
  assert.equal(await seen(kit), "one one! look at this seen again");
});

test("undoing a rewind swaps the branches, and undoing that swaps them back", async (t) => {
  const kit = await openStage(t);
  const [one = ""] = await talk(kit, "one", "two");
  await kit.sessions.rewind(SESSION, one, "edit");
  await talk(kit, "other");
  const back = await kit.sessions.unrewind(SESSION);
  assert.equal(await seen(kit), "one one! two two!");
  assert.equal(back.shown.length, 4);
  await kit.sessions.unrewind(SESSION);
  assert.equal(await seen(kit), "other other!");
});

test("rewinds that nothing grew upon are undone one after the other", async (t) => {
  const kit = await openStage(t);
  const [one = "", two = "", three = ""] = await talk(kit, "one", "two", "three");
  await kit.sessions.rewind(SESSION, three, "edit");
  await kit.sessions.rewind(SESSION, two, "edit");
  await kit.sessions.rewind(SESSION, one, "edit");
  const undone = [];
  for (const _ of [1, 2, 3]) {
    assert.equal((await kit.sessions.unrewind(SESSION)).rewind_id, null);
    undone.push(await seen(kit));
  }
  assert.deepEqual(undone, ["one one!", "one one! two two!", "one one! two two! three three!"]);
  await assert.rejects(kit.sessions.unrewind(SESSION), isTurn("no-rewind"));
});

test("a rewind is named when it is not the latest, and refused while its ground is hidden", async (t) => {
  const kit = await openStage(t);
  const [one = "", two = ""] = await talk(kit, "one", "two", "three");
  const first = await kit.sessions.rewind(SESSION, two, "resend");
  await answer(kit, 3, "anew");
  const second = await kit.sessions.rewind(SESSION, one, "edit");
  await assert.rejects(kit.sessions.unrewind(SESSION, first.rewind_id ?? ""), {
    code: "store.not-restorable",
  });
  assert.equal(await seen(kit), "");
  await kit.sessions.unrewind(SESSION, second.rewind_id ?? "");
  await kit.sessions.unrewind(SESSION, first.rewind_id ?? "");
  assert.equal(await seen(kit), "one one! two two! three three!");
  await assert.rejects(kit.sessions.unrewind(SESSION, "rewind_never"), isTurn("no-rewind"));
});

test("nothing is rewound while a turn runs or a person is asked", async (t) => {
  const kit = await openStage(t);
  const [one = ""] = await talk(kit, "one");
  const { message_id } = await kit.submit("two");
  for (const mode of ["resend", "edit"] as const) {
    await assert.rejects(kit.sessions.rewind(SESSION, one, mode), isTurn("busy"));
  }
  await assert.rejects(kit.sessions.unrewind(SESSION), isTurn("busy"));
  const asking = await kit.act(1);
  const asked = { toolCallId: "call_1", toolName: "question" } as const;
  asking.take({ type: "tool-input-start", ...asked });
  asking.take({ type: "tool-input-available", ...asked, input: { questions: [] } });
  await asking.end({ type: "blocked", open: [{ tool_call_id: "call_1", kind: "question" }] });
  await assert.rejects(kit.sessions.rewind(SESSION, message_id, "edit"), isTurn("busy"));
  assert.equal((await shown(kit.store)).length, 4);
});

test("only a visible message that a person sent is a place to go back to", async (t) => {
  const kit = await openStage(t);
  const [one = "", two = ""] = await talk(kit, "one", "two");
  const said = (await kit.store.messages.history(SESSION))[1]?.message.id ?? "";
  const settled = await kit.submit("/model", { turn: false });
  await kit.sessions.create({ id: "ses_other" });
  const elsewhere = await kit.sessions.submit("ses_other", message("there"));
  const codeOf = (id: string) =>
    kit.sessions.rewind(SESSION, id, "edit").then(
      () => "done",
      (error: { code: string }) => error.code,
    );
  assert.equal(await codeOf(said), "turn.not-sent");
  assert.equal(await codeOf(settled.message_id), "turn.not-sent");
  assert.equal(await codeOf(elsewhere.message_id), "turn.no-message");
  assert.equal(await codeOf("msg_never"), "turn.no-message");
  assert.equal(await codeOf(one), "done");
  assert.equal(await codeOf(two), "turn.no-message");
});

test("going back behind a failure ends it, and there is nothing to retry", async (t) => {
  const kit = await openStage(t);
  const { message_id } = await kit.submit("one");
  await (await kit.act(0)).end({ type: "failed", message: "the provider is gone" });
  assert.equal((await kit.sessions.status(SESSION)).state, "error");
  await kit.sessions.rewind(SESSION, message_id, "edit");
  assert.deepEqual(await kit.sessions.status(SESSION), { state: "idle" });
  await assert.rejects(kit.sessions.retry(SESSION), isTurn("nothing-to-retry"));
});

test("what waits behind a failure goes on waiting when a person goes back to change the message", async (t) => {
  const kit = await openStage(t);
  const { message_id } = await kit.submit("one");
  await kit.submit("two");
  await (await kit.act(0)).end({ type: "failed", message: "the provider is gone" });
  await kit.sessions.rewind(SESSION, message_id, "edit");
  assert.equal((await kit.sessions.queue(SESSION)).paused, "error");
  await assert.rejects(kit.sessions.retry(SESSION), isTurn("nothing-to-retry"));
  assert.equal(kit.acts.length, 1);
});

test("rewinds are known to the next process", async (t) => {
  const path = scratchPath(t);
  const before = await openStage(t, { path });
  const [one = ""] = await talk(before, "one", "two");
  await before.sessions.rewind(SESSION, one, "edit");
  await before.store.close();
  const after = await openStage(t, { path });
  await after.sessions.unrewind(SESSION);
  assert.equal(await seen(after), "one one! two two!");
});

test("money that was spent on a hidden branch stays spent, and its tokens do not count", async (t) => {
  const kit = await openStage(t);
  const [one = ""] = await talk(kit, "one");
  const answered = (await kit.store.messages.history(SESSION))[1]?.message.id ?? "";
  const usage = { input: 5, output: 7, reasoning: 0, cache_read: 0, cache_write: 0 };
  await kit.store.messages.stamp(answered, { usage, cost_usd: 0.25 }, 9);
  await kit.sessions.rewind(SESSION, one, "edit");
  const hidden = await kit.store.sessions.get(SESSION);
  assert.deepEqual([hidden?.total_tokens, hidden?.cost_usd], [0, 0.25]);
  await kit.sessions.unrewind(SESSION);
  assert.equal((await kit.store.sessions.get(SESSION))?.total_tokens, 12);
});
