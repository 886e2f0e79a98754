import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { SessionRow, UiChunk } from "@galley/parts";
import { type PlannedCall, runTools } from "./run-tools.ts";
import { stage, tool } from "./scripted.ts";
import type { Permit, Tool, ToolOutput } from "./tool.ts";
import { NO_TRACE } from "./trace.ts";

const call = (tool_call_id: string, tool_name: string, input: unknown = {}): PlannedCall => ({
  tool_call_id,
  tool_name,
  input,
});

type Options = {
  readonly flush?: () => Promise<void>;
  readonly tools: readonly Tool[];
  readonly permit?: () => Promise<Permit>;
  readonly signal?: AbortSignal;
};

async function ran(t: TestContext, calls: readonly PlannedCall[], options: Options) {
  const permit = options.permit ?? (async () => ({ action: "allow" as const }));
  const { deps, reported, claim } = await stage(t, { box: { permit }, tools: options.tools });
  const chunks: UiChunk[] = [];
  const open = await runTools(calls, {
    deps,
    session: claim.session as SessionRow,
    tools: options.tools,
    recorder: {
      message_id: "msg_a",
      take: (batch) => void chunks.push(...batch),
      flush: options.flush ?? (async () => {}),
    },
    signal: options.signal ?? new AbortController().signal,
    span: NO_TRACE.span("session.turn", {}),
  });
  return { open, chunks, reported };
}

const errorsOf = (chunks: readonly UiChunk[]): unknown[] =>
  chunks.map((chunk) => (chunk.type === "tool-output-error" ? chunk.errorText : chunk.type));

test("a tool that nobody has is told with the names of those that are there", async (t) => {
  const { chunks } = await ran(t, [call("c1", "rm")], { tools: [tool("read"), tool("grep")] });
  assert.deepEqual(errorsOf(chunks), ["there is no tool rm; there is read, grep"]);
  const none = await ran(t, [call("c1", "rm")], { tools: [] });
  assert.deepEqual(errorsOf(none.chunks), ["there is no tool rm; there is none"]);
});

test("an input that does not fit never reaches the tool", async (t) => {
  const read = tool("read", {
    input_schema: { type: "object", required: ["path"] },
    run: async () => assert.fail("it ran"),
  });
  const { chunks, reported } = await ran(t, [call("c1", "read", {})], { tools: [read] });
  assert.deepEqual(errorsOf(chunks), [
    'the input does not fit the tool read:\n- input: Instance does not have required property "path"',
  ]);
  assert.deepEqual(reported, []);
});

test("a tool with a check of its own is held to that, and its schema is not run", async (t) => {
  const foreign = tool("foreign", {
    input_schema: { properties: { a: { $ref: "#/nowhere" } } },
    check: async (input) => ((input as { a?: unknown }).a === 1 ? undefined : "a is not 1"),
    run: async () => ({ type: "output", data: "ran" }),
  });
  const calls = [call("c1", "foreign", { a: 2 }), call("c2", "foreign", { a: 1 })];
  const { chunks, reported } = await ran(t, calls, { tools: [foreign] });
  assert.deepEqual(errorsOf(chunks), ["a is not 1", "tool-output-available"]);
  assert.deepEqual(reported, []);
});

test("a tool whose own schema is broken is not run, and is reported", async (t) => {
  const broken = tool("read", { input_schema: { properties: { a: { $ref: "#/nowhere" } } } });
  const { chunks, reported } = await ran(t, [call("c1", "read", { a: 1 })], { tools: [broken] });
  assert.deepEqual(errorsOf(chunks), ["the input of read could not be checked"]);
  assert.equal(reported.length, 1);
});

test("what a rule denies is told with its reason, and a rule that throws denies", async (t) => {
  const tools = [tool("read", { run: async () => assert.fail("it ran") })];
  const deny = async (): Promise<Permit> => ({ action: "deny", reason: "outside the workspace" });
  const denied = await ran(t, [call("c1", "read")], { tools, permit: deny });
  assert.deepEqual(errorsOf(denied.chunks), ["not allowed: outside the workspace"]);
  assert.deepEqual(denied.open, []);
  const thrown = await ran(t, [call("c1", "read")], {
    tools,
    permit: async () => {
      throw new Error("bad rule");
    },
  });
  assert.deepEqual(errorsOf(thrown.chunks), ["not allowed: the permission could not be checked"]);
  assert.equal(thrown.reported.length, 1);
});

test("a call that a person approved is not asked for again", async (t) => {
  const { chunks, open } = await ran(t, [{ ...call("c1", "read"), approved: true }], {
    tools: [tool("read")],
    permit: async () => assert.fail("asked"),
  });
  assert.deepEqual([errorsOf(chunks), open], [["tool-output-available"], []]);
});

test("a question that a rule denies is answered by the rule", async (t) => {
  const { chunks, open } = await ran(t, [call("q1", "question")], {
    tools: [tool("question", { waits: "question" })],
    permit: async () => ({ action: "deny", reason: "nobody is here to answer" }),
  });
  assert.deepEqual([errorsOf(chunks), open], [["not allowed: nobody is here to answer"], []]);
});

/** A tool that writes down when it begins and ends, and waits for its turn of the loop between. */
function logged(name: string, log: string[], parallel: boolean): Tool {
  return tool(name, {
    parallel,
    run: async (): Promise<ToolOutput> => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
      return { type: "output", data: null };
    },
  });
}

test("tools that may run at once do; one that may not sees what was done before it", async (t) => {
  const log: string[] = [];
  const tools = [logged("a", log, true), logged("b", log, true), logged("w", log, false)];
  const calls = [call("1", "a"), call("2", "b"), call("3", "w"), call("4", "a")];
  await ran(t, calls, { tools });
  assert.deepEqual(log, [
    "a begins",
    "b begins",
    "a ends",
    "b ends",
    "w begins",
    "w ends",
    "a begins",
    "a ends",
  ]);
});

test("two that may not run at once run one after the other", async (t) => {
  const log: string[] = [];
  const tools = [logged("v", log, false), logged("w", log, false)];
  await ran(t, [call("1", "v"), call("2", "w")], { tools });
  assert.deepEqual(log, ["v begins", "v ends", "w begins", "w ends"]);
});

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

const OUTPUTS: readonly (readonly [string, () => Promise<unknown>, unknown])[] = [
  ["throws", () => Promise.reject(new Error("no disk")), "the tool odd failed: no disk"],
  ["throws text", () => Promise.reject("no disk"), "the tool odd failed: no disk"],
  ["gives an error", async () => ({ type: "error", error_text: "not found" }), "not found"],
  ["gives no envelope", async () => ({ data: 1 }), "the tool odd failed: odd gave no envelope"],
  ["gives a large number", async () => ({ type: "output", data: 1n }), /^the tool odd failed: ./],
  ["gives a circle", async () => ({ type: "output", data: cyclic }), /^the tool odd failed: ./],
];

for (const [how, run, text] of OUTPUTS) {
  test(`a tool that ${how} is an error that the model reads`, async (t) => {
    // The script of a tool that keeps to no type.
    const odd = tool("odd", { run: run as Tool["run"] });
    const { chunks } = await ran(t, [call("c1", "odd")], { tools: [odd] });
    const [said] = errorsOf(chunks);
    if (text instanceof RegExp) assert.match(String(said), text);
    else assert.equal(said, text);
    assert.equal(chunks.length, 1);
  });
}

test("an output keeps its envelope, its time and what it says of itself", async (t) => {
  const read = tool("read", {
    run: async () => ({
      type: "output",
      data: { lines: 3, gone: undefined },
      metadata: { truncated: true, output_path: "/scratch/1" },
    }),
  });
  const { chunks } = await ran(t, [call("c1", "read")], { tools: [read] });
  assert.deepEqual(chunks, [
    {
      type: "tool-output-available",
      toolCallId: "c1",
      output: {
        type: "output",
        data: { lines: 3 },
        metadata: { truncated: true, output_path: "/scratch/1", duration_ms: 1 },
      },
    },
  ]);
});

test("a stop before the tools leaves every call alone", async (t) => {
  const { chunks, open } = await ran(t, [call("c1", "read"), call("c2", "unknown")], {
    tools: [tool("read", { run: async () => assert.fail("it ran") })],
    signal: AbortSignal.abort(),
  });
  assert.deepEqual([chunks, open], [[], []]);
});

test("no tool begins before its call is stored, and a stop while that takes long is a stop", async (t) => {
  const log: string[] = [];
  const read = logged("a", log, true);
  const flush = async () => void log.push("stored");
  await ran(t, [call("c1", "a")], { tools: [read], flush });
  assert.deepEqual(log, ["stored", "a begins", "a ends"]);
  const stop = new AbortController();
  const { chunks } = await ran(t, [call("c1", "a")], {
    tools: [tool("a", { run: async () => assert.fail("it ran") })],
    signal: stop.signal,
    flush: async () => {
      stop.abort();
      throw new Error("given up");
    },
  });
  assert.deepEqual(chunks, []);
});

test("a tool that does not obey a stop is left behind, and its call stays as it was", async (t) => {
  const stop = new AbortController();
  const stubborn = tool("stubborn", {
    run: () => {
      t.mock.timers.enable({ apis: ["setTimeout"] });
      stop.abort();
      setImmediate(() => t.mock.timers.tick(1_000));
      return new Promise(() => {});
    },
  });
  const { chunks } = await ran(t, [call("c1", "stubborn")], {
    tools: [stubborn],
    signal: stop.signal,
  });
  assert.deepEqual(chunks, []);
});

test("what a tool still says after a stop is kept: it is known what it did", async (t) => {
  const stop = new AbortController();
  const obedient = tool("obedient", {
    run: async () => {
      stop.abort();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { type: "error", error_text: "stopped after two files" };
    },
  });
  const { chunks } = await ran(t, [call("c1", "obedient")], {
    tools: [obedient],
    signal: stop.signal,
  });
  assert.deepEqual(errorsOf(chunks), ["stopped after two files"]);
});
