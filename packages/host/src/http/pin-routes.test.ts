/** Pins over HTTP: put, listed, replaced, taken away, and refused where they make no sense. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type SessionServer, sessionServer } from "./test-sessions.ts";

const PINS = "/v1/sessions/ses_a/pins";
const path = (name: string) => ({ ref: { kind: "path", path: name } });

async function setUp(t: Parameters<typeof sessionServer>[0]): Promise<SessionServer> {
  const server = await sessionServer(t);
  await server.ask("POST", "/v1/sessions", { id: "ses_a" });
  return server;
}

test("a pin is put, listed in order, replaced in its place, and taken away", async (t) => {
  const { ask } = await setUp(t);
  assert.deepEqual((await ask("GET", PINS)).json, { pins: [] });
  await ask("PUT", `${PINS}/a`, path("a.ts"));
  await ask("PUT", `${PINS}/b`, path("b.ts"));
  const range = { kind: "path", path: "c.ts", range: { start: 1, end: 3 } };
  const { status, json } = await ask("PUT", `${PINS}/a`, { ref: range });
  assert.equal(status, 200);
  const [a, b] = [
    { id: "a", ref: range },
    { id: "b", ...path("b.ts") },
  ];
  assert.deepEqual(json, { pins: [a, b] });
  assert.deepEqual((await ask("GET", PINS)).json, { pins: [a, b] });
  assert.deepEqual((await ask("DELETE", `${PINS}/a`)).json, { pins: [b] });
});

test("a pin that is not there, and a name that is none, are not found", async (t) => {
  const { ask } = await setUp(t);
  const { status, json } = await ask("DELETE", `${PINS}/a`);
  assert.deepEqual([status, json.code], [404, "turn.no-pin"]);
  assert.equal((await ask("PUT", `${PINS}/-`, path("a"))).status, 404);
  assert.equal((await ask("PUT", "/v1/sessions/ses_none/pins/a", path("a"))).status, 404);
});

test("only a file of the workspace can be pinned", async (t) => {
  const { ask } = await setUp(t);
  for (const body of [
    { ref: { kind: "url", url: "https://example.org" } },
    { ref: { kind: "path" } },
    { ref: { kind: "path", path: "a" }, text: "no" },
    {},
  ]) {
    assert.equal((await ask("PUT", `${PINS}/a`, body)).status, 422, JSON.stringify(body));
  }
});

test("pins have a number at which they end", async (t) => {
  const { ask } = await setUp(t);
  for (let count = 0; count < 32; count += 1) await ask("PUT", `${PINS}/p${count}`, path("a"));
  const { status, json } = await ask("PUT", `${PINS}/more`, path("a"));
  assert.deepEqual([status, json.code], [409, "turn.too-many-pins"]);
  assert.equal((await ask("PUT", `${PINS}/p3`, path("b"))).status, 200);
});

test("a client cannot set pins through the metadata of a session", async (t) => {
  const { ask } = await setUp(t);
  const metadata = { pins: [{ id: "a", ...path("a") }] };
  assert.equal((await ask("POST", "/v1/sessions", { metadata })).status, 422);
});
