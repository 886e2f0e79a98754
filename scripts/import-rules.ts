/**
 * The architecture as rules over source text: who may import whom, and what the pure packages may
 * not touch. It reads text and returns faults; layers.test.ts applies it to the repository.
 */
import { builtinModules } from "node:module";
import { posix } from "node:path";
import { codeOnly, place, withoutComments } from "./source-text.ts";

/** A package may import the packages in its row, and no others. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  parts: [],
  compose: ["parts"],
  persist: ["parts"],
  queue: ["parts"],
  assemble: ["parts"],
  shape: ["parts", "assemble"],
  turn: ["parts", "compose", "persist", "queue", "assemble", "shape"],
  rehearsal: ["parts"],
  host: ["parts", "compose", "persist", "queue", "assemble", "shape", "turn", "rehearsal"],
};

/** Imports that must vanish when types are stripped. */
const TYPES_ONLY: Readonly<Record<string, readonly string[]>> = { shape: ["assemble"] };

/** No clock, no randomness, no environment, no file, no network: time and bytes come in. */
export const PURE = ["parts", "compose", "queue", "assemble", "shape"];

const IMPURE: readonly (readonly [string, RegExp])[] = [
  ["process", /(?<![.\w$])process\b(?!\s*\??:)/g],
  ["console", /(?<![.\w$])console\b(?!\s*\??:)/g],
  ["globalThis", /(?<![.\w$])globalThis\b/g],
  ["Buffer", /(?<![.\w$])Buffer\b/g],
  ["fetch()", /(?<![.\w$])fetch\s*\(/g],
  ["a timer", /(?<![.\w$])set(?:Timeout|Interval|Immediate)\s*\(/g],
  ["Date.now", /(?<![.\w$])Date\s*\.\s*now\b/g],
  ["new Date() without a time", /\bnew\s+Date\s*(?:\(\s*\)|(?![\s\w(.]))/g],
  ["performance.now", /(?<![.\w$])performance\s*\.\s*now\b/g],
  ["Math.random", /(?<![.\w$])Math\s*\.\s*random\b/g],
  ["crypto", /(?<![.\w$])crypto\s*\./g],
];

export type Import = { readonly from: string; readonly typeOnly: boolean; readonly at: number };

const STATEMENT =
  /\b(import|export)(\s+type\b(?!\s*from\b|\s*,))?(?:[\s\w$*{},]*?\bfrom)?\s*["']([^"'\n]+)["']/g;
const DYNAMIC = /\b(?:import|require)\s*\(\s*["']([^"'\n]+)["']/g;

export function importsOf(source: string): readonly Import[] {
  const text = withoutComments(source);
  const code = codeOnly(source);
  // Words inside a string look like an import too: the keyword itself must be code.
  const isCode = (at: number): boolean => /\S/.test(code[at] ?? "");
  const written = [...text.matchAll(STATEMENT)].map((match) => ({
    from: match[3] ?? "",
    typeOnly: match[2] !== undefined,
    at: match.index,
  }));
  const dynamic = [...text.matchAll(DYNAMIC)].map((match) => ({
    from: match[1] ?? "",
    typeOnly: false,
    at: match.index,
  }));
  return [...written, ...dynamic].filter(({ at }) => isCode(at));
}

/** A test, or what only tests use. */
export const isTest = (path: string): boolean =>
  /\.(test|outside|fuzz)\.ts$|\/src\/testing\//.test(path);

const isBuiltin = (from: string): boolean =>
  from.startsWith("node:") || builtinModules.includes(from.split("/")[0] ?? from);

const libraryOf = (from: string): string =>
  from
    .split("/")
    .slice(0, from.startsWith("@") ? 2 : 1)
    .join("/");

function relativeFault(path: string, owner: string, from: string): string | undefined {
  const target = posix.join(posix.dirname(path), from);
  if (target.startsWith(`packages/${owner}/`)) return undefined;
  if (isTest(path) && !target.startsWith("packages/")) return undefined;
  return `reaches out of its package with ${from}`;
}

function packageFault(path: string, owner: string, { from, typeOnly }: Import): string | undefined {
  const [, name = "", ...rest] = from.split("/");
  if (rest.length > 0) return `reaches around the index of @galley/${name}: ${from}`;
  if (!MAY_IMPORT[owner]?.includes(name)) return `imports @galley/${name}`;
  if (TYPES_ONLY[owner]?.includes(name) && !typeOnly && !isTest(path)) {
    return `imports @galley/${name} for more than its types`;
  }
  return undefined;
}

function importFault(
  path: string,
  owner: string,
  libraries: readonly string[],
  found: Import,
): string | undefined {
  const { from } = found;
  if (from.startsWith(".")) return relativeFault(path, owner, from);
  if (from.startsWith("@galley/")) return packageFault(path, owner, found);
  if (isTest(path)) return undefined;
  if (isBuiltin(from)) return PURE.includes(owner) ? `imports ${from}, and is pure` : undefined;
  if (libraries.includes(libraryOf(from))) return undefined;
  return `imports ${libraryOf(from)}, which its package.json does not name`;
}

/** Every fault of one file; `libraries` are the dependencies its package.json names. */
export function faultsOf(path: string, source: string, libraries: readonly string[]): string[] {
  const owner = path.split("/")[1] ?? "";
  const imports = importsOf(source).flatMap((found) => {
    const fault = importFault(path, owner, libraries, found);
    return fault === undefined ? [] : [`${place(path, source, found.at)} ${fault}`];
  });
  if (!PURE.includes(owner) || isTest(path)) return imports;
  const code = codeOnly(source);
  const impure = IMPURE.flatMap(([name, pattern]) =>
    [...code.matchAll(pattern)].map(
      ({ index }) => `${place(path, source, index)} uses ${name}, and is pure`,
    ),
  );
  return [...imports, ...impure];
}
