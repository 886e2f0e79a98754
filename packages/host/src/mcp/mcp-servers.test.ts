import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  callingWith,
  contentOf,
  errorOf,
  namesOf,
  serverTable,
  textOutput as text,
} from "./testing/servers-in.ts";

test("a server's tools stand under its name, in the order of their names", async (t) => {
  const { toolsNow } = await callingWith(t);
  assert.deepEqual(namesOf(await toolsNow()), [
    "mcp__test__broken-pattern",
    "mcp__test__change",
    "mcp__test__crash",
    "mcp__test__echo",
    "mcp__test__env",
    "mcp__test__fails",
    "mcp__test__freeze",
    "mcp__test__hang",
    "mcp__test__huge",
    "mcp__test__odd",
    "mcp__test__picture",
    "mcp__test__slow_pattern_7dad272eaf",
    "mcp__test__structured",
    "mcp__test__throws",
  ]);
});

test("what cannot be used of a server is left out and told, and the rest stands", async (t) => {
  const { servers, warned } = await callingWith(t);
  await servers.look();
  assert.deepEqual(warned, [
    "the MCP server test: the tool is left out: not-an-object: its input schema is not of the type object",
    "the MCP server test: the tool is left out: one-of: its input schema has oneOf at the top, which no provider takes",
    "the MCP server test: the tool is left out: one without a usable name",
    "the MCP server test: the prompt is left out: bad: its arguments are no list of names",
  ]);
});

test("a long description is cut to 200 characters", async (t) => {
  const { toolsNow } = await callingWith(t);
  const huge = (await toolsNow()).find(({ definition }) => definition.name === "mcp__test__huge");
  assert.equal(huge?.definition.description?.length, 200);
  assert.match(huge?.definition.description ?? "", /^Gives much\. Much\..*…$/);
});

test("a call gives the server's content list as it came", async (t) => {
  const { call } = await callingWith(t);
  assert.deepEqual(await call("mcp__test__echo", { text: "grün" }), text("grün"));
  assert.deepEqual(await call("mcp__test__odd"), text('{"type":"hologram","depth":3}'));
  assert.deepEqual(await call("mcp__test__structured"), text('{"count":3}'));
  const picture = await call("mcp__test__picture");
  const content = contentOf(picture);
  assert.deepEqual(
    content.map(({ type }) => type),
    ["image", "text"],
  );
});

test("a tool's own failure and a server's refusal are errors for the model", async (t) => {
  const { call } = await callingWith(t);
  assert.equal(errorOf(await call("mcp__test__fails")), "there is no such issue");
  assert.equal(
    errorOf(await call("mcp__test__throws")),
    "the MCP server test refused throws: the database is away (-32603)",
  );
});

test("an output that is too long is cut, and all of it is in the scratch folder", async (t) => {
  const { call, scratch } = await callingWith(t);
  const output = await call("mcp__test__huge");
  assert.deepEqual(output.metadata, {
    truncated: true,
    output_path: "scratch:output/call_mcp__test__huge.txt",
  });
  const content = contentOf(output);
  assert.equal(content.length, 2);
  assert.ok(Buffer.byteLength(content[0]?.text ?? "") <= 200 * 1024);
  assert.equal(
    content[1]?.text,
    "[cut: the first 204800 of 600000 bytes of text are shown; all of it is in scratch:output/call_mcp__test__huge.txt, which the read tool opens]",
  );
  const file = join(scratch.folderOf("ses_1"), "output", "call_mcp__test__huge.txt");
  assert.equal((await readFile(file, "utf8")).length, 500_000);
});

test("a server gets its own variables and none of the host's keys", async (t) => {
  const { call } = await callingWith(t, serverTable("test", [], 'env = { TOKEN = "abc" }'));
  const output = await call("mcp__test__env");
  const content = contentOf(output);
  const env = JSON.parse(content[0]?.text ?? "{}") as Record<string, string>;
  assert.equal(env.TOKEN, "abc");
  assert.equal(env.ANTHROPIC_API_KEY, undefined);
});

test("an input is held against the server's schema, and a schema that hangs is given up", async (t) => {
  const { toolsNow } = await callingWith(t);
  const [broken, echo, slow] = (await toolsNow()).filter(({ definition }) =>
    /echo|pattern/.test(definition.name),
  );
  assert.equal(await echo?.check?.({ text: "x" }), undefined);
  assert.equal(
    await echo?.check?.({ text: 1 }),
    'the input does not fit:\n- text: Instance type "number" is invalid. Expected "string"',
  );
  assert.equal(
    await slow?.check?.({ word: `${"a".repeat(60)}!` }),
    "the input cannot be checked: the server's schema takes longer than 2 seconds",
  );
  assert.equal(await slow?.check?.({ word: "aaa" }), undefined);
  assert.equal(await broken?.check?.({ word: "x" }), undefined);
});

test("tools that a server adds are there the next time, at no other place", async (t) => {
  const { call, toolsNow } = await callingWith(t);
  const before = await toolsNow();
  assert.equal(await toolsNow(), before);
  await call("mcp__test__change");
  const after = await toolsNow();
  assert.deepEqual(
    namesOf(after).filter((name) => !namesOf(before).includes(name)),
    ["mcp__test__late"],
  );
});

test("ten thousand tools are listed over many pages", async (t) => {
  const { toolsNow } = await callingWith(t, serverTable("big", ["many", "10000"]));
  assert.equal((await toolsNow()).length, 10_000);
});

test("nothing is started before it is needed", async (t) => {
  const { servers } = await callingWith(t, serverTable("bad", ["crash"]));
  assert.deepEqual(servers.findings(), []);
});
