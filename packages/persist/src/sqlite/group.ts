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

export function promised<Port>(group: Group<Port>, run: Runner): Port {
  const steps = group.steps as Readonly<Record<string, (...given: unknown[]) => unknown>>;
  const modes = group.modes as Readonly<Record<string, Mode>>;
  const methods = Object.entries(steps).map(([name, step]) => [
    name,
    (...given: unknown[]) => run(modes[name] ?? "write", () => step(...given)),
  ]);
  // Method by method this is the port; the compiler cannot follow names through `fromEntries`.
  return Object.fromEntries(methods) as Port;
}
