/**
 * A case: what goes in, as language-neutral JSON, so that another implementation can run it too.
 *
 * Files are given inside the case: text as a string, bytes as `{ "base64": … }`, a failure as
 * `{ "unavailable": why }`, a folder as `{ "directory": true }`. `entities` are what the host knows
 * besides files, by `kind:id`. Everything else has the spelling of a stored message.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { EntityContext, Layer, Loader, ToolChoice, ToolDefinition } from "@galley/assemble";
import { type Message, type Range, readMessage } from "@galley/parts";
import type { Settings } from "@galley/shape";

type FileEntry =
  | string
  | { readonly base64: string }
  | { readonly unavailable: string }
  | { readonly directory: true };

type Written = {
  /** The requirement that the case shows. */
  readonly rule: string;
  readonly says: string;
  readonly messages: readonly unknown[];
  readonly files?: Readonly<Record<string, FileEntry>>;
  readonly entities?: Readonly<Record<string, EntityContext>>;
  readonly layers?: readonly Layer[];
  readonly tools?: readonly ToolDefinition[];
  readonly tool_choice?: ToolChoice;
  readonly settings?: Partial<Settings>;
  /** Parts left out to fit a budget, as `message.part` → the line in their place. */
  readonly elided?: Readonly<Record<string, string>>;
  /** `whole` compares the body with everything around the messages. */
  readonly show?: "whole";
};

export type Case = Omit<Written, "messages"> & {
  readonly name: string;
  readonly folder: URL;
  readonly messages: readonly Message[];
};

const FOLDER = new URL("./cases/", import.meta.url);

export function readCases(): readonly Case[] {
  return readdirSync(FOLDER)
    .sort()
    .map((name) => {
      const folder = new URL(`${name}/`, FOLDER);
      const written: Written = JSON.parse(readFileSync(new URL("case.json", folder), "utf8"));
      return {
        ...written,
        name,
        folder,
        messages: written.messages.map((raw) => asMessage(raw, name)),
      };
    });
}

function asMessage(raw: unknown, name: string): Message {
  const read = readMessage(raw);
  if (!read.ok) throw new Error(`case ${name}: ${read.issues.join("; ")}`);
  return read.value;
}

/** A loader that reads out of the case. */
export function caseLoader({
  files = {},
  entities = {},
}: Pick<Case, "files" | "entities">): Loader {
  const find = (name: string): Uint8Array | string => {
    const entry = files[name];
    if (entry === undefined) return "no such file";
    if (typeof entry === "string") return new TextEncoder().encode(entry);
    if ("base64" in entry) return Buffer.from(entry.base64, "base64");
    return "directory" in entry ? "is a directory" : entry.unavailable;
  };
  return {
    async read(ref, maxBytes) {
      const bytes = find(nameOf(ref));
      if (typeof bytes === "string") return { kind: "unavailable", reason: bytes };
      if (bytes.length <= maxBytes) return { kind: "whole", bytes };
      return { kind: "head", bytes: bytes.subarray(0, 4096), size: bytes.length };
    },
    async readRange(ref, range) {
      const bytes = find(nameOf(ref));
      if (typeof bytes === "string") return { kind: "unavailable", reason: bytes };
      return { kind: "range", size: bytes.length, ...cut(bytes, range) };
    },
    async directoryProblem(path) {
      const entry = files[path];
      return typeof entry === "object" && "directory" in entry ? undefined : "no such directory";
    },
    async entity(target) {
      const id = "id" in target ? String(target.id) : "";
      return entities[`${target.kind}:${id}`];
    },
  };
}

function nameOf(ref: Parameters<Loader["read"]>[0]): string {
  return ref.kind === "path" ? ref.path : ref.kind === "url" ? ref.url : ref.content_id;
}

function cut(bytes: Uint8Array, range: Range) {
  if (range.unit === "byte") {
    const end = Math.min(range.end, bytes.length);
    const shown = { start: range.start, end, unit: "byte" as const, total: bytes.length };
    return { bytes: bytes.subarray(range.start, end), shown };
  }
  // A line feed ends a line; it does not begin another.
  const lines = new TextDecoder().decode(bytes).replace(/\n$/, "").split("\n");
  const end = Math.min(range.end, lines.length);
  return {
    bytes: new TextEncoder().encode(lines.slice(range.start - 1, end).join("\n")),
    shown: { start: range.start, end, total: lines.length },
    ...(end < range.end && { note: `asked for lines up to ${range.end}` }),
  };
}
