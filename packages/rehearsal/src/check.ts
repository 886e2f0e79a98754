/**
 * A checker for closed shapes: each field list is complete, and whatever is not in it is found.
 *
 * It finds, it does not judge: a finding is neutral, and each protocol says it in its own words and
 * with its own status. A shape returns the value it read, so that a protocol that accepts two
 * spellings of one name (Gemini) is checked and normalized in one walk.
 */
export type Path = readonly Step[];
type Step = string | number;
/** A path while it is walked: a list of steps would be copied at every field of a long request. */
export type Trail = { readonly up: Trail; readonly step: Step } | undefined;
export const into = (up: Trail, step: Step): Trail => ({ up, step });

export type JsonType = "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";

type At<K extends string> = { readonly kind: K; readonly path: Path };
export type Finding =
  | At<"missing">
  | At<"unknown">
  | (At<"type"> & { readonly wanted: readonly JsonType[]; readonly got: unknown })
  | (At<"choice"> & { readonly allowed: readonly string[]; readonly got: unknown })
  | (At<"tag"> & {
      readonly key: string;
      readonly allowed: readonly string[];
      readonly got: unknown;
    })
  | (At<"range"> & Limit & { readonly whole: boolean })
  | (At<"length"> & Limit & { readonly of: Sized })
  | (At<"pattern"> & { readonly pattern: string; readonly got: string });

type Limit = { readonly bound: Bound; readonly limit: number; readonly got: number };
type Bound = "min" | "max";
type Sized = "string" | "array";
type OnTrail<F> = F extends Finding ? Omit<F, "path"> & { readonly path: Trail } : never;
export type Report = (finding: OnTrail<Finding>) => void;
export type Shape = (value: unknown, path: Trail, report: Report) => unknown;
export type Optional = { readonly optional: Shape };
export type Fields = { readonly [name: string]: Shape | Optional };
export type Json = { readonly [key: string]: unknown };

/** Only the first few findings matter to anyone; a hostile body must not grow a list without end. */
const FINDINGS_KEPT = 20;

export function check(shape: Shape, value: unknown): { value: unknown; findings: Finding[] } {
  const findings: Finding[] = [];
  const read = shape(value, undefined, (finding) => {
    if (findings.length < FINDINGS_KEPT) findings.push({ ...finding, path: stepsOf(finding.path) });
  });
  return { value: read, findings };
}

function stepsOf(trail: Trail): Path {
  const steps: Step[] = [];
  for (let at = trail; at; at = at.up) steps.unshift(at.step);
  return steps;
}

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function jsonType(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "object";
}

export const anything: Shape = (value) => value;
export const optional = (shape: Shape): Optional => ({ optional: shape });
export const nullable =
  (shape: Shape): Shape =>
  (value, path, report) =>
    value === null ? null : shape(value, path, report);
export const lazy =
  (make: () => Shape): Shape =>
  (value, path, report) =>
    make()(value, path, report);

export function text(limits: { min?: number; max?: number; pattern?: RegExp } = {}): Shape {
  return (value, path, report) => {
    if (typeof value !== "string") return wrongType(value, path, report, "string");
    measure(value.length, "string", limits, path, report);
    if (limits.pattern && !limits.pattern.test(value)) {
      report({ kind: "pattern", path, pattern: limits.pattern.source, got: value });
    }
    return value;
  };
}

export function number(limits: { min?: number; max?: number; whole?: boolean } = {}): Shape {
  const whole = limits.whole ?? false;
  return (value, path, report) => {
    if (typeof value !== "number" || (whole && !Number.isInteger(value))) {
      return wrongType(value, path, report, whole ? "integer" : "number");
    }
    const { min, max } = limits;
    if (min !== undefined && value < min) {
      report({ kind: "range", path, bound: "min", limit: min, got: value, whole });
    }
    if (max !== undefined && value > max) {
      report({ kind: "range", path, bound: "max", limit: max, got: value, whole });
    }
    return value;
  };
}

export const integer = (limits: { min?: number; max?: number } = {}) =>
  number({ ...limits, whole: true });

export const flag: Shape = (value, path, report) =>
  typeof value === "boolean" ? value : wrongType(value, path, report, "boolean");

export function choice(...allowed: string[]): Shape {
  return (value, path, report) => {
    if (typeof value !== "string" || !allowed.includes(value)) {
      report({ kind: "choice", path, allowed, got: value });
    }
    return value;
  };
}

export function list(item: Shape, limits: { min?: number; max?: number } = {}): Shape {
  return (value, path, report) => {
    if (!Array.isArray(value)) return wrongType(value, path, report, "array");
    measure(value.length, "array", limits, path, report);
    const read = value.map((entry, index) => item(entry, into(path, index), report));
    return read.every((entry, index) => entry === value[index]) ? value : read;
  };
}

/** An object of arbitrary keys, such as metadata or a JSON Schema. */
export function record(item: Shape = anything): Shape {
  return (value, path, report) => {
    if (!isJson(value)) return wrongType(value, path, report, "object");
    for (const [key, entry] of Object.entries(value)) item(entry, into(path, key), report);
    return value;
  };
}

export type ObjectOptions = {
  /** Unknown keys pass: for objects that only another service reads. */
  readonly open?: boolean;
  /** The canonical name of a key that has two spellings. */
  readonly alias?: (key: string) => string;
  /** In proto JSON a null field is an absent one. */
  readonly nullIsAbsent?: boolean;
};

export function object(fields: Fields, options: ObjectOptions = {}): Shape {
  const known = Object.entries(fields).map(([name, field]) =>
    typeof field === "function"
      ? { name, shape: field, isOptional: false }
      : { name, shape: field.optional, isOptional: true },
  );
  return (value, path, report) => {
    if (!isJson(value)) return wrongType(value, path, report, "object");
    const given = options.alias || options.nullIsAbsent ? canonical(value, options) : value;
    const read: [name: string, value: unknown][] = [];
    for (const { name, shape, isOptional } of known) {
      if (Object.hasOwn(given, name)) {
        const entry = shape(given[name], into(path, name), report);
        if (entry !== given[name]) read.push([name, entry]);
      } else if (!isOptional) report({ kind: "missing", path: into(path, name) });
    }
    if (!options.open) {
      for (const name of Object.keys(value)) {
        const isKnown = Object.hasOwn(fields, options.alias ? options.alias(name) : name);
        if (!isKnown) report({ kind: "unknown", path: into(path, name) });
      }
    }
    return read.length === 0 ? given : { ...given, ...Object.fromEntries(read) };
  };
}

function canonical(value: Json, { alias, nullIsAbsent }: ObjectOptions): Json {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => !(nullIsAbsent && entry === null))
      .map(([key, entry]) => [alias ? alias(key) : key, entry]),
  );
}

export type Variants = { readonly [tag: string]: Shape };

/** A union told apart by one key. `inPath` puts the tag into the path, as pydantic does. */
export function tagged(key: string, variants: Variants, inPath = false): Shape {
  return (value, path, report) => {
    if (!isJson(value)) return wrongType(value, path, report, "object");
    const tag = value[key];
    if (tag === undefined) {
      report({ kind: "missing", path: into(path, key) });
      return value;
    }
    const variant =
      typeof tag === "string" && Object.hasOwn(variants, tag) ? variants[tag] : undefined;
    if (variant) return variant(value, inPath ? into(path, String(tag)) : path, report);
    report({ kind: "tag", path, key, allowed: Object.keys(variants), got: tag });
    return value;
  };
}

/** A union told apart by its JSON type: `content` is a string or a list. */
export function byType(shapes: { readonly [T in JsonType]?: Shape }): Shape {
  return (value, path, report) => {
    const shape = shapes[jsonType(value)];
    if (shape) return shape(value, path, report);
    return wrongType(value, path, report, ...(Object.keys(shapes) as JsonType[]));
  };
}

function wrongType(value: unknown, path: Trail, report: Report, ...wanted: JsonType[]): unknown {
  report({ kind: "type", path, wanted, got: value });
  return value;
}

function measure(
  got: number,
  of: Sized,
  limits: { min?: number; max?: number },
  path: Trail,
  report: Report,
): void {
  const { min, max } = limits;
  if (min !== undefined && got < min) {
    report({ kind: "length", path, of, bound: "min", limit: min, got });
  }
  if (max !== undefined && got > max) {
    report({ kind: "length", path, of, bound: "max", limit: max, got });
  }
}
