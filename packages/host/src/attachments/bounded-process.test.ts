import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { runBounded } from "./bounded-process.ts";

const LIMITS = { timeoutMs: 60_000, memoryMb: 160 };
const TOO_MUCH = { ok: false, reason: "it took more than 160 MB of memory" };

/** A module whose `run` has this body. */
const job = (body: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`export async function run(input) {${body}}`)}`,
  );
const run = (body: string, input: unknown = {}, limits = LIMITS) =>
  runBounded(job(body), input, limits);

test("a job answers from what it was given, bytes as bytes", async () => {
  const body = "return { ok: true, value: [input.n + 1, input.bytes.constructor.name] }";
  assert.deepEqual(await run(body, { n: 20, bytes: new Uint8Array(9) }), {
    ok: true,
    value: [21, "Uint8Array"],
  });
});

test("a job that fills the heap ends, and the host does not", async () => {
  assert.deepEqual(
    await run("const keep = []; for (;;) keep.push({ a: [keep.length] });"),
    TOO_MUCH,
  );
});

test("a job that asks for more heap than there is, at once, ends the same way", async () => {
  assert.deepEqual(await run("const all = new Array(5e7).fill(0.5); return all.length;"), TOO_MUCH);
});

test("a job that fills buffers outside the heap ends too", async () => {
  assert.deepEqual(
    await run("const keep = []; for (;;) keep.push(new Uint8Array(1e6).fill(1));"),
    TOO_MUCH,
  );
});

test("a job that never ends is ended by the clock", async () => {
  assert.deepEqual(await run("for (;;);", {}, { ...LIMITS, timeoutMs: 1000 }), {
    ok: false,
    reason: "it took longer than 1 seconds",
  });
});

test("a job that throws, or ends in silence, is a reason", async () => {
  assert.deepEqual(await run("throw new Error('broken\\nin two')"), {
    ok: false,
    reason: "it cannot be read: broken in two",
  });
  assert.deepEqual(await run("process.exit(3)"), {
    ok: false,
    reason: "it ended without an answer (3)",
  });
});

test("a job sees nothing of the host's environment, writes nothing and starts nothing", async (t) => {
  const path = join(await tempFolder(t), "written");
  const body = `
    const codes = [];
    const attempt = async (what) => { try { await what(); codes.push("done"); } catch (error) { codes.push(error.code); } };
    await attempt(async () => (await import("node:fs")).writeFileSync(input.path, "x"));
    await attempt(async () => (await import("node:child_process")).execSync("true"));
    return { ok: true, value: [Object.keys(process.env).filter((key) => !key.startsWith("NODE_")), codes] };`;
  assert.deepEqual(await run(body, { path }), {
    ok: true,
    value: [[], ["ERR_ACCESS_DENIED", "ERR_ACCESS_DENIED"]],
  });
  assert.equal(existsSync(path), false);
});
