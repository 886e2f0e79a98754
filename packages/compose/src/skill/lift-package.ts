/**
 * The short forms that people write, in the one form that a package has: `description` for the
 * kind `Description`, a word for a stage or an interrupt, one tag, `true` for a condition. Whatever
 * is none of these stays as it is, for the check of the package to speak of.
 */
import { readArtifactKind } from "./package.ts";

type Table = Readonly<Record<string, unknown>>;

export const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function liftPackage(given: unknown): unknown {
  if (!isTable(given)) return given;
  return {
    ...given,
    ...listed(given, "artifacts", liftArtifact),
    ...listed(given, "interrupts", (each) => (typeof each === "string" ? { name: each } : each)),
  };
}

function listed(given: Table, key: string, lift: (row: unknown, index: number) => unknown): Table {
  const rows = given[key];
  return Array.isArray(rows) ? { [key]: rows.map(lift) } : {};
}

function liftArtifact(row: unknown): unknown {
  if (!isTable(row)) return row;
  const { kind, tags } = row;
  return {
    ...row,
    ...(typeof kind === "string" && { kind: readArtifactKind(kind) ?? kind }),
    ...(typeof tags === "string" && { tags: [tags] }),
    ...condition(row),
    ...listed(row, "stages", liftStage),
  };
}

function liftStage(stage: unknown, index: number): unknown {
  const id = `stage-${index + 1}`;
  if (typeof stage === "string") return { id, instructions: stage };
  if (!isTable(stage)) return stage;
  const { name, body, ...rest } = stage;
  const named = typeof name === "string" ? name : id;
  const instructions = body === undefined ? {} : { instructions: body };
  return { id: named, ...instructions, ...rest, ...condition(rest) };
}

const condition = ({ include_when }: Table): Table =>
  typeof include_when === "boolean" ? { include_when: String(include_when) } : {};
