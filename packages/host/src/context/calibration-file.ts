/**
 * What was learned of how providers count, kept in one small file for all sessions of this home.
 *
 * A turn never waits for it. A file that cannot be read is told and begun anew: what it held is
 * learned again in a few turns.
 */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { type Calibration, type Count, calibrate, UNCALIBRATED } from "@galley/assemble";
import type { Calibrations } from "@galley/turn";
import { z } from "zod";

export interface CalibrationFile extends Calibrations {
  /** Resolves when the file is read; until then nothing is known. */
  readonly loaded: Promise<void>;
  /** Resolves when what was learned is written, or was told not to be. */
  close(): Promise<void>;
}

export type CalibrationFileInput = {
  readonly path: string;
  /** Told why it could not be read or written. */
  report(error: unknown): void;
};

const classes = Object.keys(UNCALIBRATED.weights).length;
const weight = z.number().min(0.01).max(100);
const Weights = z.strictObject({
  prose: weight,
  code: weight,
  cjk: weight,
  base64: weight,
  other: weight,
  media: weight,
});
const Stored = z.strictObject({
  turns: z.int().min(0),
  weights: Weights,
  spread: z.array(z.array(z.number()).length(classes)).length(classes),
});
const File = z.looseObject({ version: z.literal(1), models: z.record(z.string(), Stored) });

export const calibrationPath = (home: string): string => join(home, "calibration.json");

export function openCalibrationFile(input: CalibrationFileInput): CalibrationFile {
  const { path, report } = input;
  const known = new Map<string, Calibration>();
  const changed = new Set<string>();
  let writing: Promise<void> | undefined;
  const loaded = load(path, report).then((models) => {
    for (const [name, state] of models) known.set(name, state);
  });

  async function write(): Promise<void> {
    // Once more for whatever was learned while it was being written.
    while (changed.size > 0) {
      const names = [...changed];
      changed.clear();
      // Another host of this home may have learned of other models.
      const models = new Map([...known, ...(await load(path, report))]);
      for (const name of names) models.set(name, known.get(name) ?? UNCALIBRATED);
      await save(path, models);
    }
  }

  async function learn(model: string, count: Count): Promise<void> {
    await loaded;
    const before = known.get(model) ?? UNCALIBRATED;
    const state = calibrate(before, count);
    if (state === before) return;
    known.set(model, state);
    changed.add(model);
    writing ??= write()
      .catch(report)
      .finally(() => {
        writing = undefined;
      });
  }

  const learning = new Set<Promise<void>>();
  return {
    loaded,
    of: (model) => known.get(model),
    learn(model, count) {
      const work = learn(model, count);
      learning.add(work);
      void work.finally(() => learning.delete(work));
    },
    async close() {
      await Promise.all([loaded, ...learning]);
      await writing;
    },
  };
}

async function load(
  path: string,
  report: (error: unknown) => void,
): Promise<ReadonlyMap<string, Calibration>> {
  try {
    return new Map(Object.entries(File.parse(JSON.parse(await readFile(path, "utf8"))).models));
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOENT") report(error);
    return new Map();
  }
}

let drafts = 0;

/** Whole or not at all: the draft takes the place of the file in one step. */
async function save(path: string, models: ReadonlyMap<string, Calibration>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  drafts += 1;
  const draft = `${path}.${process.pid}.${drafts}`;
  const text = JSON.stringify({ version: 1, models: Object.fromEntries(models) });
  try {
    await writeFile(draft, `${text}\n`, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
