/**
 * The offline model behind a gate. Each message of a test carries a mark; the model notes which mark
 * it was asked for, and the test says when the request may go through.
 */
import type { TestContext } from "node:test";
import { type Heard, type Script, type Step, startRehearsal } from "@galley/rehearsal";

export type MarkedModel = {
  readonly url: string;
  /** For the host: a request waits here until its gate is open. */
  readonly fetch: typeof fetch;
  /** The marks that reached the model, in order. */
  readonly asked: readonly string[];
};

export type MarkedInput = {
  /** What is said to the message of this mark; its name, when absent. */
  readonly answer?: (mark: string, time: number) => Step;
  /** Awaited before the request of this mark leaves the host. */
  readonly gate?: (mark: string) => Promise<void> | undefined;
};

export const idOf = (mark: string): string => `msg_${mark}`;
export const marked = (mark: string): string => `<<${mark}>> please`;
export const answerTo = (mark: string): string => `Said to ${mark}, in a few words of text.`;

export async function startMarkedModel(
  t: Pick<TestContext, "after">,
  { answer = () => ({}), gate = () => undefined }: MarkedInput = {},
): Promise<MarkedModel> {
  const asked: string[] = [];
  const script: Script = (heard: Heard) => {
    const mark = lastMark(JSON.stringify(heard.messages.at(-1)));
    asked.push(mark);
    const time = asked.filter((each) => each === mark).length;
    return { say: answerTo(mark), ...answer(mark, time) };
  };
  const rehearsal = await startRehearsal({ keepReceived: 1, script });
  t.after(() => rehearsal.close());
  return {
    url: rehearsal.url,
    asked,
    async fetch(url, init) {
      await gate(lastMark(Buffer.from(init?.body as Uint8Array).toString()));
      return fetch(url, init);
    },
  };
}

function lastMark(text: string): string {
  const [, mark] = /^<<(\w+)>>/.exec(text.slice(Math.max(0, text.lastIndexOf("<<")))) ?? [];
  if (mark === undefined) throw new Error("a request without a message of this test");
  return mark;
}

/** A gate that a test opens message by message; `arrived` tells who stands before it. */
export function gates() {
  const open = new Map<string, () => void>();
  const waits = new Map<string, (mark: string) => void>();
  return {
    gate(mark: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      open.set(mark, resolve);
      waits.get(mark)?.(mark);
      return promise;
    },
    open(mark: string): void {
      open.get(mark)?.();
    },
    /** The first of these to stand before the gate. */
    arrived(marks: readonly string[]): Promise<string> {
      const there = marks.find((mark) => open.has(mark));
      if (there !== undefined) return Promise.resolve(there);
      return new Promise((resolve) => {
        for (const mark of marks) waits.set(mark, resolve);
      });
    },
  };
}
