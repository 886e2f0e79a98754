/** The driver against a small store with true transactions: what it writes, when, and what it never does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type DrivenSession, driveSession, type SessionPorts } from "./driver.ts";
import type { OutsideEffect, RowEffect } from "./effect.ts";
import type { Happening } from "./event.ts";
import { dispositionOf, statusOf } from "./project.ts";
import { submit } from "./sample.ts";
import { createShelf, type Shelf } from "./shelf.ts";

/** Rows of a transaction in the making; `note` stands for rows of the caller's own. */
type Tx = { readonly writes: RowEffect[]; readonly notes: string[] };

type Stage = {
  readonly log: string[];
  readonly shelf: Shelf;
  readonly notes: string[];
  readonly ports: SessionPorts<Tx>;
};

type Faults = {
  readonly write?: (effect: RowEffect) => void;
  readonly perform?: (effect: OutsideEffect) => void;
};

const silent = (type: string) => type.startsWith("publish-");

function stage(shelf = createShelf("ses_1"), faults: Faults = {}): Stage {
  const log: string[] = [];
  const notes: string[] = [];
  let count = 0;
  const ports: SessionPorts<Tx> = {
    async transact(work) {
      const tx: Tx = { writes: [], notes: [] };
      try {
        const result = await work(tx);
        for (const effect of tx.writes) shelf.write(effect);
        notes.push(...tx.notes);
        log.push("commit");
        return result;
      } catch (error) {
        log.push("undo");
        throw error;
      }
    },
    load: async () => shelf.rows(),
    async write(tx, effect) {
      faults.write?.(effect);
      log.push(`write ${effect.type}`);
      tx.writes.push(effect);
    },
    perform(effect) {
      faults.perform?.(effect);
      if (!silent(effect.type)) log.push(`perform ${effect.type}`);
    },
    failed: (effect, error) => {
      log.push(`failed ${effect.type}: ${error instanceof Error ? error.message : error}`);
    },
    stamp: () => {
      count += 1;
      return { at: count, next_turn_id: `turn_${count}` };
    },
  };
  return { log, shelf, notes, ports };
}

function finished(session: DrivenSession<Tx>): Happening {
  const { phase } = session.state();
  if (phase.status !== "busy") throw new Error(`nothing to finish while ${phase.status}`);
  const { turn_id, segment } = phase.turn;
  return { type: "turn-finished", reason: "finish", turn_id, segment };
}

test("a turn is started only after its claim is committed", async () => {
  const { log, ports } = stage();
  const session = await driveSession(ports);
  await session.dispatch(submit("msg_a"));
  assert.deepEqual(log, ["commit", "write fire", "commit", "perform fire"]);
});

test("events that come at once are taken one after the other: one fires, the rest queue", async () => {
  const { shelf, ports } = stage();
  const session = await driveSession(ports);
  await Promise.all(["msg_a", "msg_b", "msg_c"].map((id) => session.dispatch(submit(id))));
  assert.deepEqual(shelf.fired, ["msg_a"]);
  assert.deepEqual(dispositionOf(session.state(), "msg_c"), { disposition: "queued", position: 2 });
});

test("a write that fails leaves state, rows and the outside as they were, and the next event is taken", async () => {
  const fault = { left: 1 };
  const { log, shelf, ports } = stage(createShelf("ses_1"), {
    write: () => {
      if (fault.left-- > 0) throw new Error("disk full");
    },
  });
  const session = await driveSession(ports);
  const lost = session.dispatch(submit("msg_a"));
  const next = session.dispatch(submit("msg_b"));
  await assert.rejects(lost, { message: "disk full" });
  await next;
  assert.deepEqual(shelf.fired, ["msg_b"]);
  assert.deepEqual(log, ["commit", "undo", "write fire", "commit", "perform fire"]);
});

test("a refusal is a value, and undoes the rows that the caller wrote beside the event", async () => {
  const { notes, ports } = stage();
  const session = await driveSession(ports);
  const withNote = (note: string, happening: Happening) =>
    session.dispatch(async (tx) => {
      tx.notes.push(note);
      return happening;
    });
  await withNote("admitted", submit("msg_a"));
  const refused = await withNote("conflicting", { ...submit("msg_a"), admission: "conflict" });
  assert.deepEqual(refused, { refused: { code: "conflict", message_id: "msg_a" } });
  assert.deepEqual(notes, ["admitted"]);
});

test("an event that is out of place is thrown to its caller, and changes nothing", async () => {
  const { ports } = stage();
  const session = await driveSession(ports);
  const before = session.state();
  const wrong = { type: "turn-finished", reason: "finish", turn_id: "turn_9", segment: 0 } as const;
  await assert.rejects(session.dispatch(wrong), { code: "queue.out-of-place" });
  assert.equal(session.state(), before);
});

test("an effect may dispatch while it is performed", async () => {
  const seen: { session?: DrivenSession<Tx>; last?: Promise<unknown> } = {};
  const { shelf, ports } = stage(createShelf("ses_1"), {
    perform: (effect) => {
      const { session } = seen;
      if (effect.type === "fire" && session) seen.last = session.dispatch(finished(session));
    },
  });
  const session = await driveSession(ports);
  seen.session = session;
  await Promise.all([session.dispatch(submit("msg_a")), session.dispatch(submit("msg_b"))]);
  // The end of the first fires the second, which dispatches its own end.
  await seen.last;
  await seen.last;
  assert.deepEqual(shelf.fired, ["msg_a", "msg_b"]);
  assert.deepEqual(statusOf(session.state()), { state: "idle" });
});

test("a turn that cannot be started fails, and the session does not hang", async () => {
  const { log, ports } = stage(createShelf("ses_1"), {
    perform: ({ type }) => {
      if (type === "fire") throw new Error("no provider");
    },
  });
  const session = await driveSession(ports);
  await session.dispatch(submit("msg_a"));
  await session.dispatch(submit("msg_b", "trigger"));
  assert.deepEqual(statusOf(session.state()), {
    state: "error",
    message: "no provider",
    message_id: "msg_a",
  });
  assert.ok(log.includes("failed fire: no provider"));
});

test("a compaction that cannot be started fails too", async () => {
  const { ports } = stage(createShelf("ses_1"), {
    perform: ({ type }) => {
      if (type === "start-compaction") throw new Error("no summarizer");
    },
  });
  const session = await driveSession(ports);
  await session.dispatch({ type: "compaction-started", operation_id: "op_1" });
  await session.dispatch(submit("msg_a", "trigger"));
  assert.deepEqual(statusOf(session.state()), { state: "error", message: "no summarizer" });
});

test("a listener that throws harms nobody, and is told of", async () => {
  const { log, ports } = stage(createShelf("ses_1"), {
    perform: ({ type }) => {
      if (silent(type)) throw new Error("deaf");
    },
  });
  const session = await driveSession(ports);
  await session.dispatch(submit("msg_a"));
  assert.deepEqual(log.slice(-3), [
    "failed publish-event: deaf",
    "failed publish-status: deaf",
    "perform fire",
  ]);
});

test("a start kicks the queue it finds, and reading the state starts nothing", async () => {
  const { log, shelf, ports } = stage();
  shelf.write({ type: "persist-queued", entry: { id: "msg_a", origin: "trigger", queued_at: 1 } });
  const session = await driveSession(ports);
  assert.deepEqual(log, ["write fire", "commit", "perform fire"]);
  statusOf(session.state());
  await Promise.resolve();
  assert.equal(log.length, 3);
});

test("a host that dies between the commit and the start does not fire the message again", async () => {
  const first = stage();
  const session = await driveSession(first.ports);
  await session.dispatch(submit("msg_a"));
  await session.dispatch(submit("msg_b"));
  const second = stage(first.shelf);
  await driveSession(second.ports);
  assert.deepEqual(first.shelf.fired, ["msg_a", "msg_b"]);
  assert.deepEqual(second.log, ["write close-turn", "write fire", "commit", "perform fire"]);
});

test("a host that dies before the commit finds the message queued and fires it once", async () => {
  const shelf = createShelf("ses_1");
  shelf.write({ type: "persist-queued", entry: { id: "msg_a", origin: "human", queued_at: 1 } });
  const dying = stage(shelf, {
    write: () => {
      throw new Error("killed");
    },
  });
  await assert.rejects(driveSession(dying.ports), { message: "killed" });
  assert.deepEqual(shelf.fired, []);
  await driveSession(stage(shelf).ports);
  assert.deepEqual(shelf.fired, ["msg_a"]);
});
