/** The commands as people use them, in this process. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Proof } from "../pipeline/pipeline.ts";
import { memoryIo } from "../testing/memory-io.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { runCli } from "./main.ts";
import { viewOf } from "./proof.ts";

type Given = Parameters<typeof memoryIo>[0];

async function galley(words: readonly string[], given: Given = {}) {
  const io = memoryIo({ ...given, env: { GALLEY_HOME: "/nonexistent/home", ...given?.env } });
  return { code: await runCli(words, io), ...io.printed() };
}

test("galley alone and --help say what there is and what to try first", async () => {
  for (const words of [[], ["--help"], ["help"]]) {
    const { code, stdout, stderr } = await galley(words);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /Usage: galley[\s\S]*compose[\s\S]*Try first:/);
  }
});

test("--version is that of the package", async () => {
  assert.deepEqual(await galley(["--version"]), { code: 0, stdout: "0.1.0\n", stderr: "" });
});

const COMMANDS = [
  ...["compose", "proof", "send", "commands", "models", "doctor", "serve"],
  ...["session", "queue", "context"],
];

for (const command of COMMANDS) {
  test(`galley ${command} --help shows examples and the common flags`, async () => {
    const { code, stdout } = await galley([command, "--help"]);
    assert.equal(code, 0);
    assert.match(
      stdout,
      new RegExp(`Usage: galley ${command}[\\s\\S]*--workspace[\\s\\S]*Examples:`),
    );
  });
}

test("a complaint is one line, whatever it quotes", async () => {
  const { code, stderr } = await galley(["compose", "--a\n\u001b[31mb"]);
  assert.deepEqual([code, stderr], [2, "galley: unknown option '--a [31mb' (see galley --help)\n"]);
});

test("compose prints the message, and words after -- are words", async (t) => {
  const cwd = await tempFolder(t, { "a.txt": "1\n2\n3\n" });
  const context = '{"kind":"cursor","payload":{"line":3},"emitted_at":5}';
  const words = [
    "compose",
    "--ref",
    "a.txt:2",
    "--editor-context",
    context,
    "--",
    "--not",
    "a flag",
  ];
  const { code, stdout, stderr } = await galley(words, { cwd });
  assert.deepEqual([code, stderr], [0, ""]);
  assert.deepEqual(JSON.parse(stdout), {
    role: "user",
    metadata: { schema_version: 1 },
    parts: [
      { type: "text", text: "--not a flag" },
      { type: "file-ref", ref: { kind: "path", path: "a.txt", range: { start: 2, end: 2 } } },
      {
        type: "editor-context",
        kind: "cursor",
        payload: { line: 3 },
        emitted_at: 5,
        origin: "explicit",
      },
    ],
  });
});

test("flags stand before or after the command", async (t) => {
  const workspace = await tempFolder(t, { "a.txt": "a" });
  for (const words of [
    ["--workspace", workspace, "compose", "hi", "--ref", "a.txt"],
    ["compose", "hi", "--ref", "a.txt", "--workspace", workspace],
  ]) {
    const { code, stderr } = await galley(words);
    assert.deepEqual([code, stderr], [0, ""]);
  }
});

test("what compose prints, proof takes, from a file or a pipe", async (t) => {
  const cwd = await tempFolder(t, { "a.txt": "1\n2\n3\n" });
  const { stdout: message } = await galley(["compose", "hi", "--ref", "a.txt"], { cwd });
  const piped = await galley(["proof", "--model", "anthropic/claude-opus-5-5"], {
    cwd,
    stdin: message,
  });
  const proof = JSON.parse(piped.stdout);
  assert.deepEqual(Object.keys(proof), [
    "provider",
    "model",
    "request",
    "outcomes",
    "manifest",
    "body_sha256",
  ]);
  assert.deepEqual(
    proof.outcomes.map((each: { outcome: string }) => each.outcome),
    ["text", "text"],
  );
});

test("plain text is a message of its own", async () => {
  const said = await galley(["proof", "--stage", "composed"], { stdin: "hello\n" });
  assert.deepEqual(JSON.parse(said.stdout).parts, [{ type: "text", text: "hello\n" }]);
  const flagged = await galley(["proof", "--stage", "composed", "--text", "42"]);
  assert.deepEqual(JSON.parse(flagged.stdout).parts, [{ type: "text", text: "42" }]);
});

test("--all is an array with one entry for each provider, --stage one stage of each", async () => {
  const all = JSON.parse((await galley(["proof", "--all", "--text", "hi"])).stdout);
  const names = all.map((each: { provider: string }) => each.provider);
  assert.deepEqual(names, ["anthropic", "openai", "openai-chat", "gemini"]);
  const wire = JSON.parse((await galley(["proof", "--stage", "wire", "--text", "hi"])).stdout);
  assert.deepEqual(Object.keys(wire), ["method", "url", "headers", "body"]);
  const both = await galley(["proof", "--all", "--stage", "lowered", "--text", "hi"]);
  const [first] = JSON.parse(both.stdout);
  assert.deepEqual([first.provider, first.stage], ["anthropic", "lowered"]);
});

test("a body that JSON would reorder is given as text too", () => {
  const shown = (body_text: string) => {
    const request = { method: "POST", url: "x", headers: {}, body: JSON.parse(body_text) };
    return viewOf({ request, body_text } as Proof, undefined, false);
  };
  assert.deepEqual(Object.keys(shown('{"b":1,"a":2}') as object), ["request"]);
  assert.deepEqual(Object.keys(shown('{"b":1,"1":2}') as object), ["request", "body_text"]);
});

test("send --once streams the offline model's answer as text, or chunk by chunk", async (t) => {
  const cwd = await tempFolder(t, { "a.txt": "1\n2\n3\n" });
  const said = await galley(["send", "--once", "hello", "you", "--ref", "a.txt:1-2"], { cwd });
  assert.deepEqual([said.code, said.stderr], [0, ""]);
  assert.match(said.stdout, /"hello you"[\s\S]*lines 1 to 2 of 3[\s\S]*\n$/);
  const { code, stdout } = await galley(["send", "--once", "hello", "--json"], { cwd });
  const types = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).type);
  assert.equal(code, 0);
  assert.deepEqual([types.at(0), types.at(-1)], ["start", "finish"]);
});

test("every protocol of the offline model answers", async () => {
  for (const name of ["anthropic", "openai", "openai-chat", "gemini"]) {
    const { code, stdout, stderr } = await galley([
      "send",
      "--once",
      "hello",
      "--model",
      `rehearsal/${name}`,
    ]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /hello/);
  }
});

test("an unknown key of the configuration is warned about, and the command runs", async (t) => {
  const cwd = await tempFolder(t, { ".agents/galley.toml": "\nmodle = 1\n" });
  const { code, stderr } = await galley(["models", "rehearsal"], { cwd });
  assert.equal(code, 0);
  assert.match(stderr, /^galley: warning: .*galley\.toml:2: the key modle is not known[^\n]*\n$/);
});

test("models lists what each takes, as a table or as JSON", async () => {
  const { stdout } = await galley(["models", "rehearsal"]);
  assert.match(
    stdout,
    /^model +window +output +takes +from\nrehearsal\/default +200000 +8192 +text image pdf /,
  );
  const rows = JSON.parse((await galley(["models", "--json", "rehearsal"])).stdout);
  assert.deepEqual(rows[0].name, "rehearsal/default");
  assert.equal(rows[0].context_window, 200_000);
});

test("doctor tells what is there, in words or as JSON, and never a key", async () => {
  const env = { OPENAI_API_KEY: "sk-hidden" };
  const { code, stdout } = await galley(["doctor"], { env });
  assert.equal(code, 0);
  assert.match(stdout, /ok +openai /);
  assert.match(stdout, /missing +anthropic /);
  const findings = JSON.parse((await galley(["doctor", "--json"], { env })).stdout);
  assert.ok(findings.every((each: { status: string }) => each.status !== undefined));
  assert.doesNotMatch(stdout + JSON.stringify(findings), /sk-hidden/);
});
