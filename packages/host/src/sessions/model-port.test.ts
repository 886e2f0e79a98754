import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { AssembledContext, ContextMessage } from "@galley/assemble";
import { isGalleyError, type UiChunk } from "@galley/parts";
import type { PrintedRequest } from "@galley/turn";
import { loadSettings } from "../config/settings.ts";
import { rehearsing } from "../pipeline/rehearse.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { choiceOf } from "./model-name.ts";
import { createModelPort } from "./model-port.ts";

type Asked = { readonly url: string; readonly init: RequestInit };

async function setUp(t: TestContext, toml = "", env: Record<string, string> = {}) {
  const workspace = await tempFolder(t, { ".agents/galley.toml": toml });
  const home = await tempFolder(t);
  const settings = await loadSettings({ workspace, home, env });
  const asked: Asked[] = [];
  const answers = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    asked.push({ url: String(url), init });
    return new Response("moved", { status: 302, headers: { location: "https://elsewhere.test" } });
  };
  const offline = rehearsing();
  t.after(() => offline.close());
  const input = { settings, env, fetch: answers as typeof fetch, offline, workspace };
  return { asked, input, port: createModelPort(input) };
}

const said = (id: string, text: string): ContextMessage => ({
  role: "user",
  id,
  parts: [{ type: "text", text }],
  materials: [],
});

const answered = (id: string, text: string): ContextMessage => ({
  role: "assistant",
  id,
  parts: [{ type: "text", text, state: "done" }],
});

const context = (...messages: ContextMessage[]): AssembledContext => ({
  layers: [{ id: "agent.system", text: "Be plain." }],
  messages,
  tools: [],
});

async function gather(batches: AsyncIterable<readonly UiChunk[]>): Promise<UiChunk[]> {
  const chunks: UiChunk[] = [];
  for await (const batch of batches) chunks.push(...batch);
  return chunks;
}

const bodyOf = ({ body }: PrintedRequest): string => new TextDecoder().decode(body);

/** How often a message's parts were read, which is how often it was lowered. */
function counted(message: ContextMessage) {
  const reads = { count: 0 };
  const { parts } = message;
  const watched = Object.defineProperty({ ...message }, "parts", {
    get: () => {
      reads.count += 1;
      return parts;
    },
  });
  return { message: watched as ContextMessage, reads };
}

const KEY = { ANTHROPIC_API_KEY: "sk-secret-1" };
const CLAUDE = choiceOf("anthropic/claude-opus-5-5");

test("a request lowers only what is new, and its bytes are those of a first print", async (t) => {
  const { input, port } = await setUp(t, "", KEY);
  const model = await port.open(CLAUDE, "ses_1");
  const old = counted(said("msg_1", "one"));
  const reply = answered("msg_2", "two");
  await model.print(context(old.message));
  const before = old.reads.count;
  assert.ok(before > 0);
  const appended = await model.print(context(old.message, reply, said("msg_3", "three")));
  const again = await (await port.open(CLAUDE, "ses_1")).print(
    context(old.message, answered("msg_2", "another"), said("msg_4", "four")),
  );
  assert.equal(old.reads.count, before);
  const fresh = await createModelPort(input).open(CLAUDE, "ses_1");
  const whole = context(said("msg_1", "one"), reply, said("msg_3", "three"));
  assert.equal(bodyOf(appended), bodyOf(await fresh.print(whole)));
  assert.match(bodyOf(again), /another.*four/);
  assert.doesNotMatch(bodyOf(again), /two|three/);
  assert.deepEqual(
    appended.outcomes().map(({ message_id, outcome }) => [message_id, outcome]),
    [
      ["msg_1", "text"],
      ["msg_2", "text"],
      ["msg_3", "text"],
    ],
  );
});

test("another session has a memory of its own, and the oldest is let go", async (t) => {
  const { input } = await setUp(t, "", KEY);
  const port = createModelPort({ ...input, keep: 2 });
  const first = await port.open(CLAUDE, "ses_1");
  const second = await port.open(CLAUDE, "ses_2");
  assert.notEqual(first, second);
  assert.equal(await port.open(CLAUDE, "ses_1"), first);
  await port.open(CLAUDE, "ses_3");
  assert.equal(await port.open(CLAUDE, "ses_1"), first);
  assert.notEqual(await port.open(CLAUDE, "ses_2"), second);
});

test("the record has no key, and the wire has it", async (t) => {
  const toml = `[providers.anthropic]\nheaders = { "x-team" = "blue" }`;
  const { port, asked } = await setUp(t, toml, KEY);
  const printed = await (await port.open(CLAUDE, "ses_1")).print(context(said("msg_1", "hello")));
  assert.equal(printed.url, "https://api.anthropic.com/v1/messages");
  assert.deepEqual(printed.headers, {
    "content-type": "application/json",
    "anthropic-version": "2023-06-01",
    "x-api-key": "***",
    "x-team": "***",
  });
  await assert.rejects(gather(printed.send(AbortSignal.timeout(1000))));
  const [request] = asked;
  const headers = request?.init.headers as Record<string, string>;
  assert.equal(headers["x-api-key"], "sk-secret-1");
  assert.equal(headers["x-team"], "blue");
  assert.equal(request?.init.body, printed.body);
});

test("a redirect is a refusal and is not followed", async (t) => {
  const { port, asked } = await setUp(t, "", KEY);
  const printed = await (await port.open(CLAUDE, "ses_1")).print(context(said("msg_1", "hello")));
  const failed = await gather(printed.send(new AbortController().signal)).catch(
    (error: unknown) => error,
  );
  assert.ok(isGalleyError(failed) && failed.code === "send.refused");
  assert.deepEqual(
    asked.map(({ url, init }) => [url, init.redirect]),
    [["https://api.anthropic.com/v1/messages", "manual"]],
  );
});

test("what cannot be sent is refused when it is printed", async (t) => {
  const toml = `[models."anthropic/claude-opus-5-5"]\ncontext_window = 1000000`;
  const { port } = await setUp(t, toml);
  await assert.rejects(port.open(choiceOf("anthropic/no-such"), "ses_1"), {
    code: "host.unknown_model",
  });
  const model = await port.open(CLAUDE, "ses_1");
  await assert.rejects(model.print(context(said("msg_1", "hello"))), { code: "host.no_key" });
  const large = "x".repeat((model.profile.limits?.requestBytes ?? 0) + 1);
  await assert.rejects(model.print(context(said("msg_2", large))), { code: "host.over_bytes" });
  // What was refused is forgotten: the next request is whole.
  await assert.rejects(model.print(context(said("msg_1", "hello"))), { code: "host.no_key" });
});

test("an untrusted project's address gets no key", async (t) => {
  const toml = `[providers.anthropic]\nbase_url = "https://evil.test"`;
  const { port, asked } = await setUp(t, toml, KEY);
  const model = await port.open(CLAUDE, "ses_1");
  await assert.rejects(model.print(context(said("msg_1", "hello"))), { code: "host.untrusted" });
  assert.deepEqual(asked, []);
});

test("the offline model starts when something is printed for it, and answers", async (t) => {
  const { input } = await setUp(t);
  const port = createModelPort({ ...input, fetch });
  const model = await port.open(choiceOf("rehearsal/default"), "ses_1");
  const printed = await model.print(context(said("msg_1", "hello")));
  const chunks = await gather(printed.send(new AbortController().signal));
  assert.equal(chunks[0]?.type, "start-step");
  assert.equal(chunks.at(-1)?.type, "finish-step");
  assert.ok(chunks.some(({ type }) => type === "text-delta"));
});

test("a message is fitted to a model once", async (t) => {
  const { port } = await setUp(t, "", KEY);
  const model = await port.open(CLAUDE, "ses_1");
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const broken = {
    type: "file-attachment",
    name: "a.png",
    mime: "image/png",
    data: png.slice(0, 40),
  };
  const message = { role: "user", id: "msg_1", parts: [broken], materials: [] } as const;
  const fitted = await model.fit(message as never);
  assert.equal(fitted.materials[0]?.kind, "descriptor");
  assert.equal(await model.fit(message as never), fitted);
  const plain = said("msg_2", "hello") as never;
  assert.equal(await model.fit(plain), plain);
});
