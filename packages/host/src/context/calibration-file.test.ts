/** What providers count is learned, kept, shared and never in the way. */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { calibrationPath, openCalibrationFile } from "./calibration-file.ts";

const COUNT = {
  estimated: { prose: 100, code: 0, cjk: 0, base64: 0, other: 0, media: 0 },
  counted: 150,
};
const fails = (error: unknown): never => {
  throw error;
};

test("what was learned is there after a restart, and nothing else is left in the folder", async (t) => {
  const home = await tempFolder(t);
  const path = calibrationPath(home);
  const first = openCalibrationFile({ path, report: fails });
  await first.loaded;
  assert.equal(first.of("a/b"), undefined);
  for (let turn = 0; turn < 5; turn += 1) first.learn("a/b", COUNT);
  await first.close();
  assert.deepEqual(await readdir(home), ["calibration.json"]);
  const second = openCalibrationFile({ path, report: fails });
  await second.loaded;
  assert.deepEqual(second.of("a/b"), first.of("a/b"));
  assert.equal(second.of("a/b")?.turns, 5);
  assert.ok((second.of("a/b")?.weights.prose ?? 0) > 1.3);
});

test("two hosts of one home keep what the other learned", async (t) => {
  const path = calibrationPath(await tempFolder(t));
  const [one, two] = [1, 2].map(() => openCalibrationFile({ path, report: fails }));
  one?.learn("a/one", COUNT);
  await one?.close();
  two?.learn("a/two", COUNT);
  await two?.close();
  const { models } = JSON.parse(await readFile(path, "utf8"));
  assert.deepEqual(Object.keys(models).toSorted(), ["a/one", "a/two"]);
});

test("a count that says nothing writes nothing", async (t) => {
  const home = await tempFolder(t);
  const file = openCalibrationFile({ path: calibrationPath(home), report: fails });
  file.learn("a/b", { ...COUNT, counted: 0 });
  await file.close();
  assert.deepEqual(await readdir(home), []);
});

test("a file that is none is told, and begun anew", async (t) => {
  const home = await tempFolder(t);
  const path = calibrationPath(home);
  for (const text of ["{", "[]", '{"version":1,"models":{"a/b":{"turns":1}}}']) {
    await writeFile(path, text);
    const told: unknown[] = [];
    const file = openCalibrationFile({ path, report: (error) => told.push(error) });
    await file.loaded;
    assert.deepEqual([told.length, file.of("a/b")], [1, undefined], text);
  }
});

test("a home that cannot be written is told, and learning goes on in memory", async (t) => {
  const home = await tempFolder(t, { file: "x" });
  const told: unknown[] = [];
  const path = join(home, "file", "calibration.json");
  const file = openCalibrationFile({ path, report: (error) => told.push(error) });
  file.learn("a/b", COUNT);
  await file.close();
  assert.ok(told.length > 0);
  assert.equal(file.of("a/b")?.turns, 1);
});
