import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import type { UserPart } from "@galley/parts";
import { createPipeline } from "../pipeline/create-pipeline.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { serverTable, settingsWith } from "./testing/servers-in.ts";

type Cleaner = Parameters<typeof settingsWith>[0];

async function pipelineWith(t: Cleaner, toml: string): Promise<Pipeline> {
  const { workspace, home, settings: config } = await settingsWith(t, toml);
  const pipeline = createPipeline({
    workspace,
    home,
    config,
    env: { PATH: process.env.PATH },
    fetch,
    now: () => 1_700_000_000_000,
    random: (count) => new Uint8Array(count),
    warn: () => undefined,
  });
  t.after(() => pipeline.close());
  return pipeline;
}

test("prompts are commands of the palette, with their arguments", async (t) => {
  const pipeline = await pipelineWith(t, serverTable("test"));
  const { commands, findings } = await pipeline.commands("/mcp:");
  assert.deepEqual(
    commands.map(({ id, source, from, description, argument_hint }) => ({
      id,
      source,
      from,
      description,
      argument_hint,
    })),
    [
      {
        id: "/review",
        source: "mcp",
        from: "test",
        description: "Reviews a file.",
        argument_hint: "<file> [style…]",
      },
      {
        id: "/two-words",
        source: "mcp",
        from: "test",
        description: "Has a space.",
        argument_hint: undefined,
      },
    ],
  );
  assert.deepEqual(findings, []);
});

test("a prompt's command leaves every message, its role and its kind of content", async (t) => {
  const pipeline = await pipelineWith(t, serverTable("test"));
  for (const name of ["/review", "/mcp:test:review"]) {
    const text = `${name} "New York.md" very kind`;
    const { message } = await pipeline.compose({ text });
    const [part] = message.parts as (UserPart & { expansion: Record<string, unknown>[] })[];
    assert.deepEqual(
      part?.expansion.map(({ type, role, text: said, name: file, mime, mcp_type }) =>
        [type, role, said ?? file, mime, mcp_type].filter((each) => each !== undefined),
      ),
      [
        ["text", 'Review {"file":"New York.md","style":"very kind"}'],
        ["text", "assistant", "I will."],
        ["file-attachment", "review 3", "image/png", "image"],
        ["file-attachment", "notes.md", "text/plain", "resource"],
      ],
    );
  }
});

test("a prompt that wants more than it is given is refused with its use", async (t) => {
  const pipeline = await pipelineWith(t, serverTable("test"));
  await assert.rejects(pipeline.compose({ text: "/review" }), { code: "compose.bad-argument" });
});

test("a prompt that the server refuses is an error with the server's words", async (t) => {
  const pipeline = await pipelineWith(t, serverTable("test"));
  await assert.rejects(pipeline.compose({ text: "/two-words" }), {
    code: "compose.prompt-failed",
    message: /no such prompt/,
  });
});

test("a known command starts no server, and a path is no command", async (t) => {
  const pipeline = await pipelineWith(t, serverTable("slow", ["hang"], "timeout_ms = 600000"));
  const { notes } = await pipeline.compose({ text: "see\n/usr/bin/env and a/b" });
  assert.deepEqual(notes, []);
  const { actions } = await pipeline.compose({ text: "/help" });
  assert.deepEqual(
    actions.map(({ action }) => action),
    ["help"],
  );
});

test("a prompt of a server that cannot be asked is told with the reason", async (t) => {
  const pipeline = await pipelineWith(t, serverTable("bad", ["crash"]));
  const { notes } = await pipeline.compose({ text: "/mcp:bad:review a" });
  assert.deepEqual(
    notes.map(({ message }) => message),
    [
      "/mcp:bad:review is not a command here: it is sent as it was typed",
      "the MCP server bad cannot be asked: it ended with the code 3; it last said: no configuration at /etc/nowhere",
    ],
  );
  const { findings } = await pipeline.commands("");
  assert.deepEqual(
    findings.map(({ says }) => says),
    ["mcp.servers.bad: it ended with the code 3; it last said: no configuration at /etc/nowhere"],
  );
});

test("the doctor says which servers answer and which do not", async (t) => {
  const toml =
    serverTable("good", ["many", "3"]) + serverTable("bad", ["crash"]) + serverTable("test");
  const findings = await (await pipelineWith(t, toml)).doctor();
  assert.deepEqual(
    findings
      .filter(({ name }) => name.startsWith("mcp "))
      .map(({ name, status, says }) => `${status} ${name}: ${says}`),
    [
      "warning mcp bad: it ended with the code 3; it last said: no configuration at /etc/nowhere",
      "ok mcp good: answers: 3 tools, 0 prompts",
      "ok mcp test: answers: 14 tools, 2 prompts",
      "warning mcp test: the tool is left out: not-an-object: its input schema is not of the type object",
      "warning mcp test: the tool is left out: one-of: its input schema has oneOf at the top, which no provider takes",
      "warning mcp test: the tool is left out: one without a usable name",
      "warning mcp test: the prompt is left out: bad: its arguments are no list of names",
    ],
  );
});
