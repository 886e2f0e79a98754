/**
 * Messages that are shown otherwise than they are stored: made once, then the same object again,
 * because what became of a message on the wire is kept by its identity.
 */
import type { ContextMessage } from "./context.ts";

/** One way of change each, so that one does not push out the other's. */
export type Derivation = {
  of<M extends ContextMessage>(message: M, key: string, make: () => M): M;
};

export function derivation(): Derivation {
  const made = new WeakMap<ContextMessage, { key: string; message: ContextMessage }>();
  return {
    of<M extends ContextMessage>(message: M, key: string, make: () => M): M {
      const known = made.get(message);
      // Kept under the message that it was made of, so it is of its kind.
      if (known?.key === key) return known.message as M;
      const fresh = make();
      made.set(message, { key, message: fresh });
      return fresh;
    },
  };
}
