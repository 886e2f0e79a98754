import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openSqliteStore } from "@galley/persist";
import { NO_TOOLS, type Tool, type ToolBox } from "@galley/turn";
import { tempFolder } from "../testing/temp-folder.ts";
import { createSurroundings, modelOf } from "./surroundings.ts";

const tool = (name: string): Tool => ({
  definition: { name, description: "", input_schema: { type: "object" } },
  run: async () => ({ type: "output", data: null }),
});

async function setUp(t: TestContext, tools: ToolBox = NO_TOOLS) {
  const workspace = await tempFolder(t, { "a.txt": "apples" });
  const store = await openSqliteStore({ path: ":memory:" });
  t.after(() => store.close());
  const session = await store.sessions.create({ id: "ses_1", agent: "default", at: 0 });
  const admitted: string[] = [];
  const surroundings = createSurroundings({
    platform: "linux",
    store,
    tools,
    workspaceOf: ({ workspace_root }) => workspace_root ?? workspace,
    admit: async ({ id }) => admitted.push(id),
    defaultModel: () => "rehearsal/default",
    skillProblem: async (_session, name) => (name === "plums" ? undefined : "no such skill"),
  });
  return { surroundings, store, session, workspace, admitted };
}

test("files come from the session's folder, and stored bytes from the store", async (t) => {
  const { surroundings, store, session } = await setUp(t);
  const loader = surroundings.loader(session);
  const content_id = await store.blobs.put(new TextEncoder().encode("pears"), 0);
  const read = async (ref: Parameters<typeof loader.read>[0]) => {
    const loaded = await loader.read(ref, 100);
    return loaded.kind === "whole" ? new TextDecoder().decode(loaded.bytes) : loaded;
  };
  assert.equal(await read({ kind: "path", path: "a.txt" }), "apples");
  assert.equal(await read({ kind: "content-id", content_id }), "pears");
  const ref = { kind: "content-id", content_id } as const;
  const range = await loader.readRange(ref, { start: 1, end: 3, unit: "byte" }, 100);
  assert.equal(range.kind === "range" && new TextDecoder().decode(range.bytes), "ea");
  assert.deepEqual(await read({ kind: "content-id", content_id: `sha256:${"0".repeat(64)}` }), {
    kind: "unavailable",
    reason: "its bytes are not stored here",
  });
  assert.equal(await loader.skillProblem?.("plums"), undefined);
  assert.equal(await loader.skillProblem?.("pears"), "no such skill");
});

test("without a tool that reads, a descriptor names none; with one, it names what is there", async (t) => {
  const bare = await setUp(t);
  assert.equal((await bare.surroundings.loadPolicy(bare.session)).reach, undefined);
  const tools = { ...NO_TOOLS, open: async () => [tool("read")] };
  const { surroundings, session } = await setUp(t, tools);
  const { reach } = await surroundings.loadPolicy(session);
  assert.equal(reach?.("text/plain"), "the read tool opens it, whole or by a range of lines");
  assert.equal(reach?.("application/pdf"), "no tool here opens it");
});

test("the system text names the session's own model, else the default", async (t) => {
  const { surroundings, session, workspace } = await setUp(t);
  const layers = await surroundings.layers(session);
  assert.deepEqual(
    layers.map(({ id }) => id),
    ["agent.system", "environment"],
  );
  assert.match(layers[1]?.text ?? "", /the model it began with: rehearsal\/default$/);
  assert.ok(layers[1]?.text.includes(`- workspace: ${workspace} `));
  const model_json = '{"provider_id":"openai","model_id":"gpt-6"}';
  const [, own] = await surroundings.layers({ ...session, model_json });
  assert.match(own?.text ?? "", /openai\/gpt-6$/);
});

test("every turn asks whether this host may work in the session's folder", async (t) => {
  const { surroundings, session, admitted } = await setUp(t);
  await surroundings.layers(session);
  await surroundings.loadPolicy(session);
  assert.deepEqual(admitted, ["ses_1", "ses_1"]);
});

test("a model that cannot be read is none", async (t) => {
  const { session } = await setUp(t);
  for (const model_json of [null, "{", '"x"', "{}"]) {
    assert.equal(modelOf({ ...session, model_json }), undefined);
  }
});

test("instructions and skills stand between who it is and where it works", async (t) => {
  const root = await tempFolder(t, { "AGENTS.md": "outer", "a/CLAUDE.md": "inner" });
  const tools = { ...NO_TOOLS, open: async () => [tool("skill")] };
  const { store, session } = await setUp(t);
  const surroundings = createSurroundings({
    platform: "linux",
    store,
    tools,
    root,
    workspaceOf: () => join(root, "a"),
    admit: async () => undefined,
    defaultModel: () => "rehearsal/default",
    skillProblem: async () => undefined,
    skills: async () => [{ name: "plums", description: "keeps plums" }],
  });
  const layers = await surroundings.layers(session);
  assert.deepEqual(
    layers.map(({ id }) => id),
    ["agent.system", "instructions.project", "skills.catalogue", "environment"],
  );
  assert.match(layers[1]?.text ?? "", /outer[\s\S]*a\/CLAUDE\.md[\s\S]*inner/);
  assert.match(layers[2]?.text ?? "", /- plums: keeps plums$/);
});

test("something attached is opened by a tool that takes it by name, and by no other", async (t) => {
  const taking = (name: string): Tool => ({
    ...tool(name),
    definition: {
      name,
      description: "",
      input_schema: { type: "object", properties: { attachment: { type: "string" } } },
    },
  });
  const tools = {
    ...NO_TOOLS,
    open: async () => [taking("read"), taking("office_text"), tool("bash"), tool("web_fetch")],
  };
  const { surroundings, session } = await setUp(t, tools);
  const { attached, fetched } = await surroundings.loadPolicy(session);
  const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  assert.equal(
    attached?.({ name: "a.docx", mime: "application/zip", declared: docx }),
    "the office_text tool reads its text, given attachment: a.docx",
  );
  // A shell works on files, and what is attached is none.
  assert.equal(
    attached?.({ name: "a.mp4", mime: "video/mp4", declared: "video/mp4" }),
    "no tool here opens it",
  );
  assert.equal(fetched?.("https://example.org"), "the web_fetch tool reads https://example.org");
});
