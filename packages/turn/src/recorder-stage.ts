/** A session, its store on a file and a recorder on both, for the tests of recording. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { SessionRow } from "@galley/parts";
import { openSqliteStore, type Store } from "@galley/persist";
import { DEFAULT_TURN_LIMITS } from "./deps.ts";
import { createLiveTurn } from "./live-turn.ts";
import { createRecorder, type RecorderInput } from "./recorder.ts";
import type { Claim, Recorder, WritableLiveTurn } from "./recording.ts";

export type Stage = {
  readonly path: string;
  readonly store: Store;
  readonly claim: Claim;
  readonly live: WritableLiveTurn;
  readonly reported: unknown[];
  /** What the store's file holds, as another process would see it. */
  rows(): Promise<unknown[]>;
  metadata(): Promise<unknown>;
  record(over?: Partial<RecorderInput>, store?: Store): Recorder;
};

export async function stage(context: TestContext): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "galley-turn-"));
  const path = join(folder, "t.db");
  const store = await openSqliteStore({ path, sync: "normal" });
  const other = await openSqliteStore({ path, sync: "normal" });
  context.after(async () => {
    await store.close();
    await other.close();
    rmSync(folder, { recursive: true });
  });
  const session: SessionRow = await store.sessions.create({ id: "ses_1", agent: "a", at: 1 });
  const claim: Claim = {
    session,
    turn_id: "turn_1",
    segment: 0,
    message_id: "msg_q",
    answer_id: "msg_a",
  };
  const reported: unknown[] = [];
  const report = (error: unknown) => reported.push(error);
  const live = createLiveTurn({ turn_id: "turn_1", segment: 0, message_id: "msg_q", report });
  let minted = 0;
  let clock = 100;
  const read = () => other.messages.get("msg_a");
  return {
    path,
    store,
    claim,
    live,
    reported,
    rows: async () => (await read())?.parts.map((part) => JSON.parse(part.data_json)) ?? [],
    metadata: async () => {
      const row = (await read())?.message;
      return row && JSON.parse(row.metadata_json);
    },
    record: (over, used = store) => {
      const mint = (prefix: string) => `${prefix}_${++minted}`;
      const now = () => ++clock;
      const deps = { store: used, now, mint, limits: DEFAULT_TURN_LIMITS, report };
      return createRecorder({ claim, deps, live, metadata: { agent: "a" }, ...over });
    },
  };
}

/** A store whose parts cannot be written while `fault` is set; it counts the tries. */
export function failing(store: Store) {
  const state: { fault?: Error | undefined; tries: number } = { tries: 0 };
  const parts: Store["parts"] = {
    ...store.parts,
    upsert: async (writes) => {
      state.tries += 1;
      if (state.fault) throw state.fault;
      await store.parts.upsert(writes);
    },
  };
  return { state, store: { ...store, parts } satisfies Store };
}

/** Lets everything that is ready run, without any timer. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 50; round += 1) await setImmediate();
}
