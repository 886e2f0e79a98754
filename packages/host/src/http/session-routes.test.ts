/** Sessions over HTTP: how they are made, found, changed and deleted, and what is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionServer } from "./test-sessions.ts";

test("a session is made with what was asked for, and read back as its row", async (t) => {
  const { ask } = await sessionServer(t);
  const made = await ask("POST", "/v1/sessions", {
    title: "Of ships",
    model: "test/m",
    metadata: { colour: "red" },
  });
  assert.equal(made.status, 201);
  assert.match(made.json.id, /^ses_[0-9a-f]{14}[0-9A-Za-z]{12}$/);
  const { title, model, metadata, metadata_json, agent, archived_at } = made.json;
  assert.deepEqual(
    { title, model, metadata, metadata_json, agent, archived_at },
    {
      title: "Of ships",
      model: "test/m",
      metadata: { colour: "red" },
      metadata_json: '{"colour":"red"}',
      agent: "default",
      archived_at: null,
    },
  );
  const read = await ask("GET", `/v1/sessions/${made.json.id}`);
  assert.deepEqual(read, { status: 200, json: made.json });
});

test("a session needs nothing to be made, not even a body", async (t) => {
  const { ask, call } = await sessionServer(t);
  assert.equal((await ask("POST", "/v1/sessions")).status, 201);
  const headers = { authorization: "Bearer a-token-for-tests" };
  assert.equal((await call("/v1/sessions", { method: "POST", headers })).status, 201);
});

test("sessions are listed a page at a time, archived ones only when asked for", async (t) => {
  const { ask } = await sessionServer(t);
  for (const id of ["ses_a", "ses_b", "ses_c"]) await ask("POST", "/v1/sessions", { id });
  await ask("PATCH", "/v1/sessions/ses_b", { archived: true });
  const ids = ({ json }: { json: { sessions: { id: string }[] } }) =>
    json.sessions.map(({ id }) => id);
  assert.deepEqual(ids(await ask("GET", "/v1/sessions")), ["ses_c", "ses_a"]);
  const without = await ask("GET", "/v1/sessions?include_archived=false");
  assert.deepEqual(ids(without), ["ses_c", "ses_a"]);
  const first = await ask("GET", "/v1/sessions?include_archived&limit=2");
  assert.equal(first.json.sessions.length, 2);
  const query = `include_archived=true&limit=2&cursor=${encodeURIComponent(first.json.next_cursor)}`;
  const second = await ask("GET", `/v1/sessions?${query}`);
  assert.deepEqual([...ids(first), ...ids(second)].sort(), ["ses_a", "ses_b", "ses_c"]);
  assert.equal(second.json.next_cursor, undefined);
});

test("a patch changes what it names and nothing else; null takes away", async (t) => {
  const { ask } = await sessionServer(t);
  await ask("POST", "/v1/sessions", { id: "ses_a", title: "T", metadata: { a: 1, b: 2 } });
  const patch = { title: null, model: "test/x", metadata: { a: null, c: 3 }, stop_policy: "hold" };
  const { json } = await ask("PATCH", "/v1/sessions/ses_a", patch);
  assert.deepEqual([json.title, json.model], [null, "test/x"]);
  assert.deepEqual(json.metadata, { b: 2, c: 3, stop_policy: "hold" });
  assert.equal((await ask("GET", "/v1/sessions/ses_a/queue")).json.stop_policy, "hold");
});

test("a deleted session is gone with everything of it", async (t) => {
  const { ask } = await sessionServer(t);
  await ask("POST", "/v1/sessions", { id: "ses_a" });
  assert.deepEqual(await ask("DELETE", "/v1/sessions/ses_a"), { status: 204, json: "" });
  for (const path of ["", "/messages", "/queue", "/status", "/stream", "/manifests", "/export"]) {
    const { status, json } = await ask("GET", `/v1/sessions/ses_a${path}`);
    assert.deepEqual([status, json.code], [404, "turn.no-session"], path);
  }
  assert.equal((await ask("DELETE", "/v1/sessions/ses_a")).status, 404);
});

const REFUSED: readonly (readonly [string, string, string, unknown, string])[] = [
  ["an id that is taken", "POST", "/v1/sessions", { id: "ses_a" }, "409 store.conflict"],
  ["an unknown field", "POST", "/v1/sessions", { colour: 1 }, "422 http.bad_shape"],
  ["an empty patch", "PATCH", "/v1/sessions/ses_a", {}, "422 http.bad_shape"],
  [
    "a key that is the host's own",
    "PATCH",
    "/v1/sessions/ses_a",
    { metadata: { run: 1 } },
    "422 turn.reserved-metadata",
  ],
  [
    "the same key at the start",
    "POST",
    "/v1/sessions",
    { metadata: { pause: 1 } },
    "422 turn.reserved-metadata",
  ],
  ["a page of no size", "GET", "/v1/sessions?limit=0", undefined, "422 http.bad_shape"],
  ["an unknown question", "GET", "/v1/sessions?colour=red", undefined, "422 http.bad_shape"],
  ["an unknown session", "PATCH", "/v1/sessions/ses_x", { title: "x" }, "404 turn.no-session"],
  ["a compaction", "POST", "/v1/sessions/ses_a/compact", {}, "501 http.not_yet"],
];

for (const [what, method, path, body, expected] of REFUSED) {
  test(`${what} is refused with ${expected}`, async (t) => {
    const { ask } = await sessionServer(t);
    await ask("POST", "/v1/sessions", { id: "ses_a" });
    const { status, json } = await ask(method, path, body);
    assert.equal(`${status} ${json.code}`, expected);
  });
}

test("a busy session is not archived, and the rest of the patch is not done either", async (t) => {
  const { ask, sessions } = await sessionServer(t);
  await ask("POST", "/v1/sessions", { id: "ses_a", title: "before" });
  await ask("POST", "/v1/sessions/ses_a/messages", { text: "wait" });
  const { status, json } = await ask("PATCH", "/v1/sessions/ses_a", {
    archived: true,
    title: "after",
  });
  assert.deepEqual([status, json.code], [409, "turn.busy"]);
  assert.equal((await ask("GET", "/v1/sessions/ses_a")).json.title, "before");
  sessions.release();
});
