/**
 * The `artifacts` of a folder as a list with their texts, which may stand in files beside it.
 * What else is odd about them is for the check of the whole package to say.
 */
import { isTable } from "../lift-package.ts";
import { readArtifactKind } from "../package.ts";
import type { KeyPath } from "./written.ts";

export type FolderFile = {
  /** Inside the skill's folder, with `/`. */
  readonly path: string;
  /** Absent: it is not text, or was not read. */
  readonly text?: string;
  readonly digest?: string;
};

export type ReadArtifacts = {
  readonly artifacts: readonly unknown[];
  /** Where the artifact of that place in the list was written. */
  readonly paths: readonly KeyPath[];
  /** Files that are artifacts now. */
  readonly files: ReadonlySet<string>;
};

/** Speaks of a value below `artifacts`. */
export type SayAt = (
  severity: "error" | "warning",
  path: KeyPath,
  says: string,
  fix: string,
) => void;

export function readArtifacts(
  written: unknown,
  files: ReadonlyMap<string, FolderFile>,
  sayAt: SayAt,
): ReadArtifacts {
  const rows: readonly (readonly [KeyPath, unknown])[] = Array.isArray(written)
    ? written.map((row, index) => [["artifacts", index], row] as const)
    : isTable(written)
      ? Object.entries(written).map(
          ([id, row]) => [["artifacts", id], isTable(row) ? { id, ...row } : row] as const,
        )
      : [];
  if (written !== undefined && !Array.isArray(written) && !isTable(written)) {
    sayAt("error", ["artifacts"], "`artifacts` is not a list", "write a list of tables");
  }
  const taken = new Set<string>();
  const read = rows.map(([path, row]) => [path, readRow(row, path, files, taken, sayAt)] as const);
  return { artifacts: read.map(([, row]) => row), paths: read.map(([path]) => path), files: taken };
}

function readRow(
  row: unknown,
  path: KeyPath,
  files: ReadonlyMap<string, FolderFile>,
  taken: Set<string>,
  sayAt: SayAt,
): unknown {
  if (!isTable(row)) return row;
  const { file, ...rest } = row;
  const found = file === undefined ? {} : fromFile(file, [...path, "file"], files, taken, sayAt);
  return { ...found, ...rest };
}

function fromFile(
  file: unknown,
  path: KeyPath,
  files: ReadonlyMap<string, FolderFile>,
  taken: Set<string>,
  sayAt: SayAt,
): Readonly<Record<string, unknown>> {
  if (typeof file !== "string") {
    sayAt("error", path, "`file` is not a path", "write a path inside the skill's folder");
    return {};
  }
  const plain = file.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
  const found = files.get(plain);
  if (found?.text === undefined) {
    const says = found === undefined ? `there is no file ${file}` : `${file} is not text`;
    sayAt("error", path, says, fixFor(plain, files));
    return {};
  }
  taken.add(plain);
  const id = plain.split("/").at(-1)?.replace(/\..*$/, "");
  const { text, digest } = found;
  return { id, body: plainText(text), ...(digest !== undefined && { digest }) };
}

function fixFor(path: string, files: ReadonlyMap<string, FolderFile>): string {
  if (path.startsWith("/") || path.split("/").includes("..")) {
    return "an artifact stands inside the folder of its skill";
  }
  const name = path.split("/").at(-1) ?? "";
  const near = [...files.keys()].find((each) => each.endsWith(`/${name}`) || each === name);
  return near === undefined ? "add the file, or write its text as `body`" : `write ${near}`;
}

/** Without the mark of its encoding and the line break at its end. */
const plainText = (text: string): string => text.replace(/^\uFEFF/, "").trimEnd();

export const isTemplate = (row: unknown): row is { readonly id: string } =>
  isTable(row) &&
  typeof row.kind === "string" &&
  readArtifactKind(row.kind) === "PromptTemplate" &&
  typeof row.id === "string";
