/**
 * The start of a host: what a dead process left behind is woken, one session after the other.
 *
 * A store that takes nothing at that moment does not keep the host from coming up. The sessions that
 * wait for it say why, and are woken when it comes back.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { SessionId } from "@galley/parts";
import { StoreError } from "@galley/persist";
import { FIRST_PAUSE_MS, isOutage, longer } from "./outage.ts";

export type WakeInput = {
  wake(id: SessionId): Promise<unknown>;
  /** Aborted when the host is closed. */
  readonly closed: AbortSignal;
  report(error: unknown): void;
  /** A session that cannot be woken at present. */
  waits(id: SessionId, why: string): void;
  /** It waits no longer. */
  woken(id: SessionId): void;
};

export async function wakeAll(ids: readonly SessionId[], input: WakeInput): Promise<void> {
  const stopped = await wakeSome(ids, input);
  if (stopped === undefined) return;
  input.report(stopped.error);
  for (const id of stopped.left) input.waits(id, (stopped.error as Error).message);
  void wakeLater(stopped.left, input).catch(input.report);
}

type Stopped = { readonly left: readonly SessionId[]; readonly error: unknown };

/** Up to the first that meets an outage: the others would meet it too. */
async function wakeSome(
  ids: readonly SessionId[],
  { wake, report }: WakeInput,
): Promise<Stopped | undefined> {
  for (const [index, id] of ids.entries()) {
    try {
      await wake(id);
    } catch (error) {
      if (mayPass(error)) return { left: ids.slice(index), error };
      // One that cannot be read keeps no other one from going on.
      report(error);
    }
  }
  return undefined;
}

/** A damaged row stays damaged: only its own session waits, for somebody who asks for it. */
const mayPass = (error: unknown): boolean => isOutage(error) && !StoreError.is(error, "corrupt");

async function wakeLater(ids: readonly SessionId[], input: WakeInput): Promise<void> {
  let left = ids;
  for (let pause = FIRST_PAUSE_MS; left.length > 0; pause = longer(pause)) {
    // A close ends the pause, and everything after it.
    await sleep(pause, undefined, { signal: input.closed }).catch(() => undefined);
    if (input.closed.aborted) return;
    const rest = (await wakeSome(left, input))?.left ?? [];
    for (const id of left.slice(0, left.length - rest.length)) input.woken(id);
    left = rest;
  }
}
