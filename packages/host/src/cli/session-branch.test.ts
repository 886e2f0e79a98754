/** Rewinds and forks from the command line, in this process, against a scripted model. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { cliIn, sessionIn } from "./test-cli.ts";

/** A session of two answered messages. */
async function talked(t: TestContext, ...more: { say: string }[]) {
  const cli = await cliIn(t, [{ say: "A." }, { say: "B." }, ...more]);
  const { galley } = cli;
  const id = sessionIn((await galley("send", "one")).stderr);
  await galley("send", "-s", id, "two");
  const show = async (session = id) => {
    const { stdout } = await galley("session", "show", session, "--json");
    return JSON.parse(stdout).messages as { id: string; parts: { text?: string }[] }[];
  };
  const texts = async (session = id) =>
    (await show(session)).map(({ parts }) => parts.map(({ text }) => text ?? "").join(""));
  return { ...cli, id, show, texts };
}

test("rewind prints the message as a draft, and unrewind brings it back", async (t) => {
  const { galley, id, show, texts } = await talked(t);
  const two = (await show())[2]?.id ?? "";
  const { code, stdout } = await galley("session", "rewind", id, two);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), { role: "user", parts: [{ type: "text", text: "two" }] });
  assert.deepEqual(await texts(), ["one", "A."]);
  const again = await galley("session", "rewind", id, two);
  assert.deepEqual([again.code, again.stdout], [1, ""]);
  assert.match(again.stderr, /there is no message msg_/);
  assert.deepEqual(await galley("session", "unrewind", id), { code: 0, stdout: "", stderr: "" });
  assert.deepEqual(await texts(), ["one", "A.", "two", "B."]);
  const none = await galley("session", "unrewind", id);
  assert.deepEqual([none.code, none.stderr.split(":")[0]], [1, "galley"]);
});

test("rewind --resend streams another answer to the same message", async (t) => {
  const { galley, id, show, texts } = await talked(t, { say: "Another." });
  const one = (await show())[0]?.id ?? "";
  const { code, stdout } = await galley("session", "rewind", id, one, "--resend");
  assert.deepEqual([code, stdout], [0, "Another.\n"]);
  assert.deepEqual(await texts(), ["one", "Another."]);
});

test("fork prints the id of the copy; a sidecar is listed once it is promoted", async (t) => {
  const { galley, id, show, texts } = await talked(t);
  const first = (await show())[1]?.id ?? "";
  const made = await galley("session", "fork", id, first, "--title", "Elsewhere");
  assert.equal(made.code, 0);
  assert.deepEqual(await texts(made.stdout.trim()), ["one", "A."]);
  const aside = (await galley("session", "fork", id, "--sidecar", "--json")).stdout;
  const { id: sidecar, metadata } = JSON.parse(aside);
  assert.deepEqual([metadata.ephemeral, metadata.relation], [true, "fork"]);
  const listed = async () => (await galley("session", "list")).stdout;
  assert.match(await listed(), /Elsewhere/);
  assert.ok(!(await listed()).includes(sidecar));
  assert.equal((await galley("session", "promote", sidecar)).code, 0);
  assert.ok((await listed()).includes(sidecar));
});
