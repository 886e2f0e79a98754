import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextMessage } from "@galley/assemble";
import { createForme, defaultModel } from "@galley/shape";
import { headerPng, made, noise } from "../attachments/picture-files.test.ts";
import { protocolOf } from "../pipeline/protocols.ts";
import { no, placesIn } from "./test-places.ts";
import { viewImageTool } from "./view-image.ts";

type Shown = {
  readonly content: readonly [
    { readonly text: string },
    { readonly data: string; readonly mimeType: string },
  ];
};

test("a small picture is shown as it is", async (t) => {
  const png = await made(40, 30, "png");
  const { places, run } = await placesIn(t, { "a.png": png });
  assert.deepEqual(await run(viewImageTool(places), { path: "a.png" }), {
    type: "output",
    data: {
      content: [
        { type: "text", text: "a.png: image/png, 40 × 30 pixels" },
        { type: "image", data: png.toString("base64"), mimeType: "image/png" },
      ],
    },
  });
});

test("a large or moving picture, and one that few take, are written anew, and it is said", async (t) => {
  const { places, run } = await placesIn(t, {
    "wide.png": await made(3000, 100, "png"),
    "noise.png": await noise(900, 900, 3),
    "moving.gif": await made(30, 20, "gif", 1, 3),
    "a.tiff": await made(30, 20, "tiff"),
  });
  const show = async (path: string): Promise<readonly [string, string, number]> => {
    const output = await run(viewImageTool(places), { path });
    assert.equal(output.type, "output", JSON.stringify(output));
    const [{ text }, { mimeType, data }] = (output as { data: Shown }).data.content;
    return [text, mimeType, data.length];
  };
  const [wide] = await show("wide.png");
  assert.equal(
    wide,
    "wide.png: image/png, 3000 × 100 pixels, scaled from 3000 × 100 to 1568 × 52 pixels",
  );
  assert.ok((await show("noise.png"))[2] <= 1_333_336);
  assert.match((await show("moving.gif"))[0], /the first of 3 frames/);
  assert.equal((await show("a.tiff"))[1], "image/jpeg");
});

test("what is no picture, damaged, or a bomb is refused with a reason", async (t) => {
  const png = await made(40, 30, "png");
  const { places, run, text } = await placesIn(t, {
    "a.txt": "hello",
    "a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "cut.png": png.subarray(0, png.length - 20),
    "bomb.png": headerPng(60_000, 60_000),
  });
  const tool = viewImageTool(places);
  assert.deepEqual(
    await run(tool, { path: "a.txt" }),
    no(
      "cannot show a.txt: its bytes are text/plain; the read tool opens it, whole or by a range of lines",
    ),
  );
  assert.match(await text(tool, { path: "a.svg" }), /the read tool opens it/);
  assert.match(await text(tool, { path: "cut.png" }), /ends before its end, so it is damaged/);
  assert.match(await text(tool, { path: "bomb.png" }), /^cannot show bomb\.png: /);
  assert.match(await text(tool, { path: "none.png" }), /no such file/);
});

for (const [provider, where] of [
  ["openai-chat", "user"],
  ["openai", "tool"],
  ["anthropic", "tool"],
] as const) {
  test(`the picture of a result reaches ${provider}, which takes it in the ${where}'s message`, async (t) => {
    const png = await made(40, 30, "png");
    const { places, run } = await placesIn(t, { "a.png": png });
    const output = await run(viewImageTool(places), { path: "a.png" });
    const profile = defaultModel(provider);
    const forme = createForme(protocolOf(profile), profile);
    const history: ContextMessage[] = [
      { role: "user", parts: [{ type: "text", text: "look" }], materials: [] },
      {
        role: "assistant",
        parts: [
          {
            type: "tool-view_image",
            toolCallId: "c1",
            state: "output-available",
            input: { path: "a.png" },
            output: JSON.parse(JSON.stringify(output)),
          },
        ],
      },
    ];
    for (const message of history) forme.append(message);
    const settings = { stream: true, cache: "off" } as const;
    const body = new TextDecoder().decode(forme.request({ layers: [], tools: [], settings }).body);
    assert.ok(body.includes(png.toString("base64")));
    assert.ok(body.includes("a.png: image/png, 40 × 30 pixels"));
    assert.equal(body.includes("[image/png: see the next message]"), where === "user");
  });
}
