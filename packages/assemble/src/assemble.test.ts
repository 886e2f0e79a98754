/** One context and a manifest that names each block once, with its size. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AssembleInput, assemble } from "./assemble.ts";

const BASE: AssembleInput = { layers: [], messages: [], contextWindow: 1000, maxOutput: 100 };

test("the manifest has an entry for every layer, tool and part, in order", () => {
  const { manifest } = assemble({
    ...BASE,
    layers: [
      { id: "agent", text: "You help." },
      { id: "environment", text: "" },
    ],
    tools: [{ name: "read", description: "Reads.", input_schema: { type: "object" } }],
    messages: [
      {
        role: "user",
        id: "msg_1",
        parts: [{ type: "text", text: "a" }, { type: "x/y" }],
        materials: [],
      },
      { role: "assistant", parts: [{ type: "text", text: "b" }] },
    ],
  });
  assert.deepEqual(
    manifest.layers.map(({ id }) => id),
    ["agent", "environment"],
  );
  assert.deepEqual(
    manifest.tools.map(({ name }) => name),
    ["read"],
  );
  assert.deepEqual(
    manifest.blocks.map(({ tokens: _, digest: __, ...block }) => block),
    [
      { message_id: "msg_1", role: "user", part: 0, type: "text" },
      { message_id: "msg_1", role: "user", part: 1, type: "x/y" },
      { role: "assistant", part: 0, type: "text" },
    ],
  );
});

test("the estimate is the sum of what the manifest names", () => {
  const { manifest } = assemble({
    ...BASE,
    layers: [{ id: "agent", text: "You help people." }],
    tools: [{ name: "read", description: "Reads.", input_schema: { type: "object" } }],
    messages: [
      {
        role: "user",
        parts: [
          { type: "file-ref", ref: { kind: "path", path: "a" } },
          { type: "file-ref", ref: { kind: "path", path: "b" } },
          { type: "file-attachment", name: "c", mime: "image/png", data: "iVBORw0KGgoAAAAN" },
        ],
        materials: [
          { kind: "text", text: "x".repeat(44), size: 44 },
          { kind: "bytes", mime: "application/pdf", base64: "", size: 9 },
        ],
      },
    ],
  });
  const all = [...manifest.layers, ...manifest.tools, ...manifest.blocks];
  assert.equal(
    manifest.estimate,
    all.reduce((sum, { tokens }) => sum + tokens, 0),
  );
  assert.deepEqual(
    manifest.blocks.map(({ tokens }) => tokens),
    [17, 2000, 1600],
  );
});

test("the limit is the window less the longest answer, and is passed, not reached, to be over", () => {
  const fill = (tokens: number) =>
    assemble({ ...BASE, layers: [{ id: "a", text: "日".repeat(tokens / 0.72) }] }).manifest;
  assert.equal(fill(900).limit, 900);
  assert.equal(fill(900).estimate, 900);
  assert.equal(fill(900).over_limit, false);
  assert.equal(fill(901).estimate, 901);
  assert.equal(fill(901).over_limit, true);
});

test("the context holds what was given, and a tool choice only when there is one", () => {
  const layers = [{ id: "agent", text: "You help." }];
  const { context } = assemble({ ...BASE, layers });
  assert.deepEqual(context, { layers, messages: [], tools: [] });
  const chosen = assemble({ ...BASE, layers, toolChoice: "required" });
  assert.equal(chosen.context.toolChoice, "required");
});

test("bytes that the model is not shown cost a line, not a picture", () => {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAyAAAAJYCAYAAAAfFcSJ"; // 800 by 600
  const attach = (name: string, data: string) => ({
    type: "file-attachment" as const,
    name,
    mime: "image/png",
    data,
  });
  const parts = [attach("a.png", png), attach("b.psd", btoa("8BPS....")), attach("c", "")];
  const tokens = (shows?: AssembleInput["shows"]) =>
    assemble({
      ...BASE,
      messages: [{ role: "user", parts, materials: [] }],
      ...(shows && { shows }),
    }).manifest.blocks.map((block) => block.tokens);
  assert.deepEqual(tokens(), [640, 1600, 20]);
  assert.deepEqual(
    tokens((mime) => mime === "image/png"),
    [640, 50, 20],
  );
});
