/**
 * A table group is written as plain steps; this gives it the port's promises.
 *
 * The table of modes is typed over the port: a new method is a compile error until it says whether it
 * reads or writes.
 */
import type { Mode } from "./gate.ts";

export type Steps<Port> = {
  readonly [K in keyof Port]: Port[K] extends (...given: infer Given) => Promise<infer Result>
    ? (...given: Given) => Result
    : never;
};

export type Modes<Port> = { readonly [K in keyof Port]: Mode };

export type Group<Port> = { readonly steps: Steps<Port>; readonly modes: Modes<Port> };

export type Runner = <T>(mode: Mode, step: () => T) => Promise<T>;

/** Methods that read take their step from `reads`, all others from `writes`. */
export function promised<Port>(writes: Group<Port>, reads: Group<Port>, run: Runner): Port {
  const modes = writes.modes as Readonly<Record<string, Mode>>;
  const stepsOf = ({ steps }: Group<Port>) =>
    steps as Readonly<Record<string, (...given: unknown[]) => unknown>>;
  const [writing, reading] = [stepsOf(writes), stepsOf(reads)];
  const methods = Object.entries(writing).map(([name, write]) => {
    const mode = modes[name] ?? "write";
    const step = mode === "read" ? (reading[name] ?? write) : write;
    return [name, (...given: unknown[]) => run(mode, () => step(...given))];
  });
  // Method by method this is the port; the compiler cannot follow names through `fromEntries`.
  return Object.fromEntries(methods) as Port;
}
