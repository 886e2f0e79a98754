/**
 * The project's own instructions as a system layer: AGENTS.md, CLAUDE.md and CONTEXT.md of the
 * folders from the host's workspace down to the session's, the nearest last.
 *
 * Over the cap the outermost go first, and the layer says what is not in it.
 */
import { isAbsolute, join, relative, sep } from "node:path";
import { estimateTokens, type Layer, type Loader } from "@galley/assemble";
import { plainName } from "@galley/shape";

export const INSTRUCTION_FILES = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"];

export type InstructionsInput = {
  /** Absolute: the folder that the loader reads in. */
  readonly root: string;
  /** Absolute, and inside the root: where the session works. */
  readonly folder: string;
  readonly loader: Pick<Loader, "read">;
  /** Tokens. */
  readonly cap?: number;
};

const CAP = 8_000;
const MOST_BYTES = 1024 * 1024;

const HEAD =
  "What the project asks of whoever works in it. Where two files differ, the later holds.";

export async function instructionsLayer(input: InstructionsInput): Promise<Layer | undefined> {
  const { cap = CAP } = input;
  const found: File[] = [];
  for (const folder of foldersOf(input)) found.push(...(await filesIn(folder, input.loader)));
  const texts = nearestOf(found.filter(({ problem }) => problem === undefined));
  const { kept, left } = fitTo(texts, cap);
  const notes = [
    ...found.flatMap(({ path, problem }) =>
      problem === undefined ? [] : [`[${path} could not be read: ${problem}]`],
    ),
    ...left.map(({ path, text }) => `[${path} is left out, about ${estimateTokens(text)} tokens]`),
  ];
  if (kept.length === 0 && notes.length === 0) return undefined;
  return { id: "instructions.project", text: [HEAD, ...notes, ...kept.map(shown)].join("\n\n") };
}

type File = {
  /** From the root, on one line. */
  readonly path: string;
  readonly text: string;
  readonly problem?: string;
};

/** From the root: the outermost first. */
function foldersOf({ root, folder }: InstructionsInput): string[] {
  const way = relative(root, folder);
  if (way === "" || isAbsolute(way) || way.split(sep)[0] === "..") return [""];
  const names = way.split(sep);
  return ["", ...names.map((_, at) => names.slice(0, at + 1).join("/"))];
}

async function filesIn(folder: string, loader: Pick<Loader, "read">): Promise<File[]> {
  const files: File[] = [];
  for (const name of INSTRUCTION_FILES) {
    const path = join(folder, name).split(sep).join("/");
    const loaded = await loader.read({ kind: "path", path }, MOST_BYTES);
    const shownPath = plainName(path);
    if (loaded.kind === "unavailable") {
      const { reason } = loaded;
      if (reason !== "no such file") files.push({ path: shownPath, text: "", problem: reason });
    } else if (loaded.kind === "head") {
      const problem = `${loaded.size} bytes, over ${MOST_BYTES}`;
      files.push({ path: shownPath, text: "", problem });
    } else {
      const text = decoder.decode(loaded.bytes).trim();
      if (text !== "") files.push({ path: shownPath, text });
    }
  }
  return files;
}

const decoder = new TextDecoder();

/** One that says the same as a nearer one, as a link does, is told once. */
const nearestOf = (files: readonly File[]): File[] =>
  files.filter(({ text }, at) => !files.slice(at + 1).some((other) => other.text === text));

function fitTo(files: readonly File[], cap: number): { kept: File[]; left: File[] } {
  const kept: File[] = [];
  let tokens = 0;
  for (const file of files.toReversed()) {
    const cost = estimateTokens(file.text);
    if (tokens + cost > cap) {
      // Only the nearest is worth a piece of it.
      if (kept.length === 0) kept.unshift(cut(file, cap, cost));
      break;
    }
    tokens += cost;
    kept.unshift(file);
  }
  return { kept, left: files.slice(0, files.length - kept.length) };
}

function cut(file: File, cap: number, cost: number): File {
  const most = file.text.slice(0, Math.floor((file.text.length * cap) / cost));
  const end = most.lastIndexOf("\n");
  const text = (end > 0 ? most.slice(0, end) : most).toWellFormed();
  return { ...file, text: `${text}\n[cut here: about ${cost} tokens are over ${cap}]` };
}

const shown = ({ path, text }: File): string =>
  `<project_instructions file="${attribute(path)}">\n${inert(text)}\n</project_instructions>`;

const attribute = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

/** No text can open or close a marker; all other text is as the author wrote it. */
const inert = (text: string): string =>
  text.replace(/<(?=\s*\/?\s*(?:project_instructions|editor_context|skill_content))/gi, "&lt;");
