/** Rewinds, forks and sidecars over HTTP. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type SessionServer, sessionServer } from "./test-sessions.ts";

async function settled({ ask }: SessionServer, id: string): Promise<void> {
  while ((await ask("GET", `/v1/sessions/${id}/status`)).json.state !== "idle");
}

/** A session of two answered messages, and the ids of its rows. */
async function setUp(t: TestContext) {
  const server = await sessionServer(t);
  const { ask } = server;
  await ask("POST", "/v1/sessions", { id: "ses_a", title: "T" });
  for (const text of ["one", "two"]) {
    await ask("POST", "/v1/sessions/ses_a/messages", { text });
    await settled(server, "ses_a");
  }
  const rows = async (id = "ses_a") =>
    (await ask("GET", `/v1/sessions/${id}/messages`)).json.messages as { id: string }[];
  const ids = (await rows()).map(({ id }) => id);
  return { ...server, server, rows, ids };
}

test("a message comes back as a draft, and the rewind is taken back", async (t) => {
  const { ask, rows, ids } = await setUp(t);
  const edit = await ask("POST", "/v1/sessions/ses_a/rewind", {
    to_message_id: ids[2],
    mode: "edit",
  });
  assert.equal(edit.status, 200);
  const { rewind_id, ...rest } = edit.json;
  const parts = [{ type: "text", text: "two" }];
  assert.deepEqual(rest, { mode: "edit", message_id: ids[2], draft: { parts } });
  assert.equal((await rows()).length, 2);
  const back = await ask("POST", "/v1/sessions/ses_a/unrewind");
  assert.deepEqual(back, { status: 200, json: { rewind_id: null, shown: ids.slice(2) } });
  assert.match(rewind_id, /^rewind_/);
  assert.equal((await rows()).length, 4);
});

test("a message is sent again, and fires at once", async (t) => {
  const { ask, rows, ids, server } = await setUp(t);
  const asked = { to_message_id: ids[0], mode: "resend" };
  const { status, json } = await ask("POST", "/v1/sessions/ses_a/rewind", asked);
  assert.deepEqual([status, json.mode, json.disposition], [200, "resend", "fired"]);
  await settled(server, "ses_a");
  const after = (await rows()).map(({ id }) => id);
  assert.equal(after[0], ids[0]);
  assert.ok(after.length === 2 && after[1] !== ids[1]);
});

test("a fork is made, and a sidecar is found by its parent, promoted and listed", async (t) => {
  const { ask, rows, ids } = await setUp(t);
  const made = await ask("POST", "/v1/sessions/ses_a/fork", { from_message_id: ids[1] });
  assert.equal(made.status, 201);
  const { parent_id, parent_message_id, title, metadata } = made.json;
  assert.deepEqual([parent_id, parent_message_id, title], ["ses_a", ids[1], "T (copy)"]);
  assert.equal(metadata.relation, "fork");
  assert.equal((await rows(made.json.id)).length, 2);
  const metadata_ = { ephemeral: true };
  const sidecar = await ask("POST", "/v1/sessions/ses_a/fork", { metadata: metadata_ });
  const listed = async (query: string) =>
    (await ask("GET", `/v1/sessions${query}`)).json.sessions.map(({ id }: { id: string }) => id);
  assert.ok(!(await listed("")).includes(sidecar.json.id));
  assert.ok((await listed("?parent_id=ses_a")).includes(sidecar.json.id));
  const promoted = await ask("POST", `/v1/sessions/${sidecar.json.id}/promote`);
  assert.deepEqual([promoted.status, promoted.json.metadata.ephemeral], [200, undefined]);
  assert.ok((await listed("")).includes(sidecar.json.id));
});

test("while the parent runs a sidecar opens, and a fork and a rewind are refused", async (t) => {
  const { ask, rows, ids, sessions } = await setUp(t);
  await ask("POST", "/v1/sessions/ses_a/messages", { text: "wait" });
  const metadata = { ephemeral: true };
  const sidecar = await ask("POST", "/v1/sessions/ses_a/fork", { metadata });
  assert.equal(sidecar.status, 201);
  assert.equal((await rows(sidecar.json.id)).length, 4);
  const codeOf = async (path: string, body: unknown) => {
    const { status, json } = await ask("POST", `/v1/sessions/ses_a/${path}`, body);
    return `${status} ${json.code}`;
  };
  assert.equal(await codeOf("fork", { from_message_id: ids[0] }), "409 turn.busy");
  assert.equal(await codeOf("rewind", { to_message_id: ids[0], mode: "edit" }), "409 turn.busy");
  assert.equal(await codeOf("unrewind", {}), "409 turn.busy");
  sessions.release();
});

const REFUSED: readonly (readonly [what: string, path: string, body: unknown, expected: string])[] =
  [
    ["a rewind without a mode", "rewind", { to_message_id: "msg_1" }, "422 http.bad_shape"],
    [
      "a rewind to nowhere",
      "rewind",
      { to_message_id: "msg_1", mode: "edit" },
      "404 turn.no-message",
    ],
    ["a fork of nothing", "fork", { from_message_id: "msg_1" }, "404 turn.no-message"],
    ["a key of the host's", "fork", { metadata: { relation: "x" } }, "422 turn.reserved-metadata"],
    ["a rewind that never was", "unrewind", { rewind_id: "x" }, "409 turn.no-rewind"],
    ["promoting what is no sidecar", "promote", {}, "409 turn.not-ephemeral"],
  ];

for (const [what, path, body, expected] of REFUSED) {
  test(`${what} is refused with ${expected}`, async (t) => {
    const { ask } = await sessionServer(t);
    await ask("POST", "/v1/sessions", { id: "ses_a" });
    const { status, json } = await ask("POST", `/v1/sessions/ses_a/${path}`, body);
    assert.equal(`${status} ${json.code}`, expected);
    const nowhere = await ask("POST", `/v1/sessions/ses_x/${path}`, body);
    assert.ok(nowhere.status === 404 || nowhere.status === 422);
  });
}
