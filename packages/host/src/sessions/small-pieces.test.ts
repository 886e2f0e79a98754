import assert from "node:assert/strict";
import { test } from "node:test";
import { oneAtATime } from "../one-at-a-time.ts";
import { endAll } from "./end-all.ts";
import { environmentLayer } from "./environment-layer.ts";
import { choiceOf, nameOf } from "./model-name.ts";
import { reachWith } from "./reach.ts";

test("a descriptor names only tools that are there", () => {
  const reach = reachWith(new Set(["read", "archive_list", "audio_info"]));
  assert.equal(reach("text/plain"), "the read tool opens it, whole or by a range of lines");
  assert.equal(reach("application/zip"), "the archive_list tool looks into it");
  assert.equal(reach("audio/wav"), "the audio_info tool looks into it");
  assert.equal(reach("image/png"), "no tool here opens it");
  assert.equal(reach(undefined), "no tool here opens it");
});

test("the environment says what holds for the whole session, and has no clock", () => {
  const layer = environmentLayer({
    platform: "linux",
    workspace: "/home/ann/site",
    started_at: Date.UTC(2026, 1, 3, 23, 59),
    model: "rehearsal/default",
  });
  assert.deepEqual(layer, {
    id: "environment",
    text: [
      "Where you work:",
      "- platform: Linux",
      "- workspace: /home/ann/site (paths are given from there)",
      "- the conversation began on 2026-02-03 (UTC)",
      "- the model it began with: rehearsal/default",
    ].join("\n"),
  });
});

test("a folder whose name has line breaks adds no line to the environment", () => {
  const { text } = environmentLayer({
    platform: "plan9",
    workspace: "/tmp/a\n- platform: yours",
    started_at: 0,
    model: "x/y",
  });
  assert.equal(text.split("\n").length, 5);
});

test("a model's id may hold slashes", () => {
  const choice = choiceOf("ai-sdk/mistral/large");
  assert.deepEqual(choice, { provider_id: "ai-sdk", model_id: "mistral/large" });
  assert.equal(nameOf(choice), "ai-sdk/mistral/large");
});

test("work under one name runs in order, also after a failure; under another it does not wait", async () => {
  const inOrder = oneAtATime();
  const said: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = inOrder("a", async () => {
    await gate.promise;
    said.push("first");
    throw new Error("no");
  });
  const second = inOrder("a", async () => said.push("second"));
  await inOrder("b", async () => said.push("other"));
  gate.resolve();
  await assert.rejects(first, /no/);
  await second;
  assert.deepEqual(said, ["other", "first", "second"]);
});

test("what fails to end keeps nothing else from ending, and is told", async () => {
  const ended: string[] = [];
  const end = (name: string) => async () => void ended.push(name);
  const fails = async () => {
    throw new Error("stuck");
  };
  await assert.rejects(endAll([end("a"), fails, end("b")]), /stuck/);
  assert.deepEqual(ended, ["a", "b"]);
});
