/** The `arguments` of a command file: names alone, or names with a type, a default and the rest. */
import type { Json } from "../draft.ts";
import { readValue } from "./bind.ts";
import { ARGUMENT_TYPES, type ArgumentSpec, type ArgumentType } from "./entry.ts";

export type Declared = {
  readonly specs: readonly ArgumentSpec[];
  readonly problems: readonly { readonly says: string; readonly fix: string }[];
};

type Problem = Declared["problems"][number];

const NAME = /^[A-Za-z_][\w-]{0,63}$/;

export function readDeclared(value: unknown): Declared {
  const rows = typeof value === "string" ? value.split(/[\s,]+/).filter(Boolean) : value;
  if (!Array.isArray(rows)) {
    return {
      specs: [],
      problems: [problem("`arguments` is not a list", "write `- name: …` rows")],
    };
  }
  const problems: Problem[] = [];
  const specs: ArgumentSpec[] = [];
  for (const row of rows) {
    const spec = readRow(row, problems);
    if (spec === undefined) continue;
    if (specs.some(({ name }) => name === spec.name)) {
      problems.push(problem(`the argument ${spec.name} is declared twice`, "remove one of them"));
    } else specs.push(spec);
  }
  return {
    specs: specs.map((spec, index) => lastTakesRest(spec, index === specs.length - 1, problems)),
    problems,
  };
}

const problem = (says: string, fix: string): Problem => ({ says, fix });

function readRow(row: unknown, problems: Problem[]): ArgumentSpec | undefined {
  const given: Record<string, unknown> =
    typeof row === "object" && row !== null ? (row as Record<string, unknown>) : { name: row };
  const { name } = given;
  if (typeof name !== "string" || !NAME.test(name)) {
    problems.push(
      problem(
        `${JSON.stringify(name) ?? "nothing"} is not a name for an argument`,
        "use letters, digits, `-` and `_`",
      ),
    );
    return undefined;
  }
  const type = typeOf(name, given.type, problems);
  const values = enumOf(name, given.enum, problems);
  const spec: ArgumentSpec = {
    name,
    type,
    required: given.required === true,
    ...(values !== undefined && { enum: values }),
    ...(typeof given.description === "string" && { description: given.description }),
    ...(given.rest === true && { rest: true }),
  };
  const fallback = defaultOf(spec, given.default, problems);
  return fallback === undefined ? spec : { ...spec, default: fallback };
}

function typeOf(name: string, type: unknown, problems: Problem[]): ArgumentType {
  const known = ARGUMENT_TYPES.find((each) => each === type);
  if (known === undefined && type !== undefined) {
    const says = `the argument ${name} has the unknown type ${JSON.stringify(type)}`;
    problems.push(problem(says, `use one of ${ARGUMENT_TYPES.join(", ")}`));
  }
  return known ?? "string";
}

function enumOf(name: string, values: unknown, problems: Problem[]): readonly string[] | undefined {
  if (values === undefined) return undefined;
  const isScalar = (each: unknown): boolean =>
    ["string", "number", "boolean"].includes(typeof each);
  if (Array.isArray(values) && values.length > 0 && values.every(isScalar))
    return values.map(String);
  problems.push(problem(`the \`enum\` of ${name} is not a list of values`, "write `enum: [a, b]`"));
  return undefined;
}

function defaultOf(spec: ArgumentSpec, given: unknown, problems: Problem[]): Json | undefined {
  if (given === undefined || given === null) return undefined;
  const value = typeof given === "object" ? undefined : readValue(spec, String(given));
  if (value === undefined) {
    const says = `the default of ${spec.name} does not fit its type`;
    problems.push(problem(says, "give a default of that type, or none"));
  }
  return value;
}

function lastTakesRest(spec: ArgumentSpec, isLast: boolean, problems: Problem[]): ArgumentSpec {
  if (!spec.rest || isLast) return spec;
  problems.push(problem(`${spec.name} takes the rest and is not the last`, "move it to the end"));
  const { rest: _, ...others } = spec;
  return others;
}
