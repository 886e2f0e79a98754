/** A picture that is too large for one model goes to it smaller, and to the next as it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserContext } from "@galley/assemble";
import { findModel, type ModelProfile } from "@galley/shape";
import { made } from "../attachments/picture-files.test.ts";
import { fitPictures } from "./fit-pictures.ts";
import { printRequest } from "./prepare.ts";

function known(name: string): ModelProfile {
  const found = findModel(name);
  assert.ok(found.ok);
  return found.profile;
}

const data = Buffer.from(await made(9000, 20, "png")).toString("base64");
const wide: UserContext = {
  role: "user",
  parts: [{ type: "file-attachment", name: "wide.png", mime: "image/png", data }],
  materials: [],
};

async function outcomeFor(profile: ModelProfile) {
  const user = await fitPictures(wide, profile);
  assert.equal(user.parts, wide.parts, "the stored part is as it was");
  const { request } = printRequest({ layers: [], messages: [user], tools: [] }, profile);
  const [outcome] = request.outcomes();
  return { outcome, body: new TextDecoder().decode(request.body) };
}

test("over the limit it is scaled, sent natively, and the outcome says so", async () => {
  const { outcome, body } = await outcomeFor(known("anthropic/claude-opus-5-5"));
  assert.equal(outcome?.outcome, "native");
  assert.match(outcome.note ?? "", /scaled from 9000 × 20 to 8000 × \d+ pixels/);
  assert.ok(!body.includes(data.slice(0, 200)) || !body.includes(data.slice(-40)));
});

test("a model without such a limit gets the picture itself", async () => {
  const { outcome, body } = await outcomeFor(known("gemini/gemini-3.8-flash"));
  assert.equal(outcome?.outcome, "native");
  assert.equal(outcome.note, undefined);
  assert.ok(body.includes(data));
});

test("what is no picture, and what fits, is left alone", async () => {
  const small: UserContext = {
    role: "user",
    parts: [
      { type: "text", text: "hi" },
      { type: "file-attachment", name: "a.zip", mime: "application/zip", data: "UEsDBA==" },
    ],
    materials: [],
  };
  assert.equal(await fitPictures(small, known("anthropic/claude-opus-5-5")), small);
});

test("a picture or a PDF without its end is told of, so that it cannot be refused every turn", async () => {
  const whole = Buffer.from(data, "base64");
  const cut = (name: string, bytes: Buffer) => ({
    type: "file-attachment" as const,
    name,
    mime: "image/png",
    data: bytes.toString("base64"),
  });
  const parts = [cut("cut.png", whole.subarray(0, 60)), cut("a.pdf", Buffer.from("%PDF-1.4 x"))];
  const user = await fitPictures(
    { role: "user", parts, materials: [] },
    known("gemini/gemini-3.8-flash"),
  );
  assert.deepEqual(
    user.materials.map((material) => material?.kind),
    ["descriptor", "descriptor"],
  );
});
