/** The client against a host as it is, with a scripted model behind it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostEvent, UiChunk } from "@galley/parts";
import { type Script, startRehearsal } from "@galley/rehearsal";
import { createHost } from "../sessions/create-host.ts";
import { type Files, tempFolder } from "../testing/temp-folder.ts";
import { createClient } from "./create-client.ts";

const TOKEN = "a-token-for-tests";
const MODEL = "anthropic/claude-opus-5-5";
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

type Context = Parameters<typeof tempFolder>[0];

async function hostIn(t: Context, script: Script, files: Files = {}) {
  const workspace = await tempFolder(t, files);
  const home = await tempFolder(t);
  const model = await startRehearsal({ script });
  t.after(() => model.close());
  const env = {
    GALLEY_MODEL: MODEL,
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: model.url,
  };
  async function open() {
    const host = await createHost({ workspace, home, env });
    t.after(() => host.close(0));
    await host.start();
    const { url } = await host.serve({ host: "127.0.0.1", port: 0, token: TOKEN });
    return { host, url };
  }
  const { host, url } = await open();
  return { host, url, open, model, client: createClient({ url, token: TOKEN }) };
}

async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of from) found.push(each);
  return found;
}

function textOf(chunks: readonly UiChunk[]): string {
  return chunks.flatMap((each) => (each.type === "text-delta" ? [each.delta] : [])).join("");
}

test("a prompt gives its own answer, and everything about it can be read back", async (t) => {
  const { client } = await hostIn(t, [{ say: "Hello." }]);
  const { id } = await client.sessions.create({ title: "First" });
  const chunks = await all(client.prompt(id, "hi"));
  assert.equal(textOf(chunks), "Hello.");
  assert.deepEqual([chunks.at(0)?.type, chunks.at(-1)?.type], ["start", "finish"]);
  const messages = await client.messages.list(id);
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["user", "assistant"],
  );
  assert.equal((await client.status(id)).state, "idle");
  assert.equal((await client.manifests(id, 1))[0]?.manifest.over_limit, false);
  const [request] = await client.requests(id, 1);
  assert.match(request?.body_text ?? "", /"hi"/);
  assert.deepEqual(
    (await client.sessions.list()).sessions.map(({ title }) => title),
    ["First"],
  );
  const lines = await all(client.export(id));
  assert.equal(JSON.parse(lines[0] ?? "").lines, lines.length);
  await assert.rejects(client.sessions.get("ses_none"), { code: "client.problem" });
});

test("attachments are resolved by the host inside its roots, a picture in its bytes", async (t) => {
  const files = { "a.png": PNG, "note.txt": "a note of mine" };
  const { client, model } = await hostIn(t, [{ say: "ok" }], files);
  const { id } = await client.sessions.create();
  const attachments = [
    { path: "a.png", mime: "image/png", filename: "a.png" },
    { path: "note.txt" },
    { path: "/etc/hostname" },
  ];
  await all(client.prompt(id, "look", { attachments }));
  const { messages } = JSON.parse(new TextDecoder().decode(model.received[0]?.body));
  const said = JSON.stringify(messages);
  assert.match(said, /"media_type":"image\/png"/);
  assert.match(said, /a note of mine/);
  assert.match(said, /outside the workspace/);
  const [message] = await client.messages.list(id);
  assert.deepEqual(message?.parts[1], {
    type: "file-ref",
    ref: { kind: "path", path: "a.png" },
    mime: "image/png",
    name: "a.png",
  });
});

test("prompts that wait for each other each get their own answer, in order", async (t) => {
  // Long enough for the others to be handed in while the first is answered.
  const script: Script = (_request, index) => ({
    say: `answer ${index}`,
    delayMs: index === 0 ? 1_500 : 0,
  });
  const { client } = await hostIn(t, script);
  const { id } = await client.sessions.create();
  const dispositions: string[] = [];
  const onSubmitted = ({ disposition }: { disposition: string }) => dispositions.push(disposition);
  const first = all(client.prompt(id, "one", { onSubmitted }));
  while (dispositions.length === 0) await new Promise(setImmediate);
  const rest = ["two", "three"].map((text) => all(client.prompt(id, text, { onSubmitted })));
  const answers = (await Promise.all([first, ...rest])).map(textOf);
  assert.deepEqual(answers.toSorted(), ["answer 0", "answer 1", "answer 2"]);
  assert.equal(answers[0], "answer 0");
  assert.deepEqual(dispositions, ["fired", "queued", "queued"]);
});

test("a second client hears the same turn from its first chunk", async (t) => {
  const script: Script = [{ say: ["one ", "two ", "three"], chunkDelayMs: 20 }];
  const { client, url } = await hostIn(t, script);
  const { id } = await client.sessions.create();
  const other = createClient({ url, token: TOKEN });
  const first = client.prompt(id, "count");
  const heard = [(await first.next()).value as UiChunk];
  const late = all(other.stream(id));
  heard.push(...(await all(first)));
  assert.deepEqual([textOf(heard), textOf(await late)], ["one two three", "one two three"]);
  assert.deepEqual(await all(other.stream(id)), []);
});

test("a message under the same id is taken in once, and another one is a conflict", async (t) => {
  const { client, model } = await hostIn(t, [{ say: "ok" }]);
  const { id } = await client.sessions.create();
  await all(client.prompt(id, "once", { id: "msg_mine" }));
  const again = await all(client.prompt(id, "once", { id: "msg_mine" }));
  assert.equal(textOf(again), "ok");
  assert.equal(model.received.length, 1);
  await assert.rejects(all(client.prompt(id, "other", { id: "msg_mine" })), {
    code: "client.problem",
    data: {
      status: 409,
      code: "turn.conflict",
      detail:
        "msg_mine was already submitted with another payload: send the new one under a new id",
    },
  });
});

test("events tell of a turn from its start to its end", async (t) => {
  const { client } = await hostIn(t, [{ say: "ok" }]);
  const { id } = await client.sessions.create();
  const stop = new AbortController();
  const types: HostEvent["type"][] = [];
  const listening = (async () => {
    for await (const event of client.events(stop.signal)) {
      types.push(event.type);
      if (event.type === "turn-finished") return event;
    }
  })();
  // The listener is there once the server counts it.
  await new Promise((wait) => setTimeout(wait, 50));
  await all(client.prompt(id, "hi"));
  const finished = await listening;
  stop.abort();
  assert.ok(types.includes("turn-started"));
  assert.equal(finished?.type === "turn-finished" && finished.reason, "finish");
});

test("a host that closes in the middle ends a prompt, and keeps what was said", async (t) => {
  const script: Script = [{ say: ["begun ", "more"], fault: { hang: true, afterEvents: 4 } }];
  const { client, host, open } = await hostIn(t, script);
  const { id } = await client.sessions.create();
  const chunks: UiChunk[] = [];
  const ended = (async () => {
    for await (const chunk of client.prompt(id, "hi")) chunks.push(chunk);
  })();
  while (textOf(chunks) === "") await new Promise((wait) => setTimeout(wait, 5));
  await host.close(0);
  await ended;
  assert.deepEqual([textOf(chunks), chunks.at(-1)?.type], ["begun ", "abort"]);
  const later = createClient({ url: (await open()).url, token: TOKEN });
  const [, answer] = await later.messages.list(id);
  assert.equal(answer?.parts.find(({ type }) => type === "text")?.text, "begun ");
});
