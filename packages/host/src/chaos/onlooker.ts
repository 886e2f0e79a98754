/** Somebody who looks at a session through a client of their own, and keeps what they are told. */
import type { TestContext } from "node:test";
import type { HostEvent, SessionId } from "@galley/parts";
import { caller } from "../client/call.ts";
import { type Client, createClient } from "../client/create-client.ts";
import { followEvents } from "../client/follow-events.ts";

export interface Onlooker {
  readonly client: Client;
  /** Everything heard of the session so far, in order. */
  readonly heard: readonly HostEvent[];
  /** The event of this number (from 0) among those that fit, as soon as it is heard. */
  nth(fits: (event: HostEvent) => boolean, number: number): Promise<HostEvent>;
}

export async function lookOn(
  t: Pick<TestContext, "after">,
  place: { readonly url: string; readonly token: string },
  session_id: SessionId,
): Promise<Onlooker> {
  const heard: HostEvent[] = [];
  const waiters = new Set<() => void>();
  const leaving = new AbortController();
  const connected = Promise.withResolvers<void>();

  async function listen(): Promise<void> {
    const { signal } = leaving;
    for await (const pulse of followEvents(caller(place), { session_id, signal })) {
      if (pulse.type === "connected") connected.resolve();
      else heard.push(pulse);
      for (const look of [...waiters]) look();
    }
  }

  const listening = listen().catch((error: unknown) => {
    connected.reject(error);
    if (!leaving.signal.aborted) throw error;
  });
  t.after(async () => {
    leaving.abort();
    await listening;
  });
  await connected.promise;
  return {
    client: createClient(place),
    heard,
    nth(fits, number) {
      const { promise, resolve } = Promise.withResolvers<HostEvent>();
      let seen = 0;
      let left = number;
      const look = (): void => {
        for (const event of heard.slice(seen)) {
          seen += 1;
          if (!fits(event) || left-- > 0) continue;
          waiters.delete(look);
          resolve(event);
          return;
        }
      };
      waiters.add(look);
      look();
      return promise;
    },
  };
}

export const isQueueChange = ({ type }: HostEvent): boolean => type === "queue-changed";
export const isEnd = ({ type }: HostEvent): boolean => type === "turn-finished";
