/**
 * What a reading tool is pointed at: a file of the workspace, a file of the session's scratch folder,
 * or something attached to the conversation. All three are read alike.
 */
import { isAbsolute } from "node:path";
import type { SessionRow } from "@galley/parts";
import { plainName } from "@galley/shape";
import type { ToolContext, ToolOutput } from "@galley/turn";
import { z } from "zod";
import type { Source } from "../attachments/source.ts";
import { done, failed, type Tried } from "../attachments/tried.ts";
import { KEPT } from "../workspace/kept-from-agents.ts";
import { chunksOf, type Opened } from "../workspace/read-file.ts";
import type { ByteSource } from "../workspace/read-range.ts";
import { contains, OUTSIDE } from "../workspace/roots.ts";
import type { Attachments } from "./attachments.ts";
import { refuse, STOPPED } from "./define-tool.ts";
import { openAllowed } from "./open-allowed.ts";
import { SCRATCH, type Scratch } from "./scratch.ts";

export interface ToolPlaces {
  /** Absolute; undefined when the session has no workspace. */
  rootOf(session: SessionRow): string | undefined;
  readonly scratch: Scratch;
  readonly attachments: Attachments;
}

export interface Target extends ByteSource {
  /** As it was named, on one line. */
  readonly name: string;
  /** For the readers of formats: the open file itself, or bytes. */
  source(maxBytes: number): Promise<Tried<Source>>;
  whole(maxBytes: number): Promise<Tried<Uint8Array>>;
}

export const TARGET_FIELDS = {
  path: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      "A file of the workspace, from its root; `scratch:…` names a file of this session's scratch folder. Give this or `attachment`.",
    ),
  attachment: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe(
      "Something attached to this conversation: its name as shown there (the newest of that name), or its `sha256:…` id.",
    ),
};

export type Given = {
  readonly path?: string | undefined;
  readonly attachment?: string | undefined;
};

export const subjectOf = ({ path, attachment }: Given): string => path ?? attachment ?? "";

/** Opens what was given, and closes it again whatever `use` does. */
export async function withTarget(
  places: ToolPlaces,
  { session, signal }: ToolContext,
  { path, attachment }: Given,
  use: (target: Target) => Promise<ToolOutput>,
): Promise<ToolOutput> {
  if ((path === undefined) === (attachment === undefined)) {
    return refuse("give either `path` or `attachment`");
  }
  if (attachment !== undefined) {
    const found = await places.attachments.find(session.id, attachment);
    return found.ok
      ? use(ofBytes(plainName(attachment), found.value))
      : refuse(`cannot read ${plainName(attachment)}: ${found.reason}`);
  }
  const name = path ?? "";
  const place = placeOf(places, session, name);
  if (place === undefined) return refuse(NO_WORKSPACE);
  const rules = place.isScratch ? "none" : "agentsignore";
  const opened = await openAllowed(place.root, place.path, rules);
  if (!opened.ok) return refuse(refusal(name, opened.reason, place.isScratch));
  try {
    return await use(ofFile(plainName(name), opened, signal));
  } catch (error) {
    if (signal.aborted) return STOPPED;
    throw error;
  } finally {
    await opened.handle.close();
  }
}

export const NO_WORKSPACE = "this session has no workspace: only attachments can be read";

export type Place = { readonly root: string; readonly path: string; readonly isScratch: boolean };

/** The folder that a path belongs to, and the path to be resolved in it. */
export function placeOf(
  { rootOf, scratch }: Pick<ToolPlaces, "rootOf" | "scratch">,
  session: SessionRow,
  path: string,
): Place | undefined {
  const folder = scratch.folderOf(session.id);
  if (path.startsWith(SCRATCH)) {
    // A slash after the prefix is no way out of the folder.
    const inside = path.slice(SCRATCH.length).replace(/^\/+/, "");
    return { root: folder, path: inside || ".", isScratch: true };
  }
  if (isAbsolute(path) && contains(folder, path)) return { root: folder, path, isScratch: true };
  const root = rootOf(session);
  return root === undefined ? undefined : { root, path, isScratch: false };
}

/** Why, and what to do next where there is something to do. */
export function refusal(path: string, reason: string, isScratch = false): string {
  const why = isScratch ? reason.replace(OUTSIDE, "outside the scratch folder") : reason;
  const next = NEXT[reason];
  return `cannot read ${plainName(path)}: ${why}${next ? `; ${next}` : ""}`;
}

const NEXT: Readonly<Record<string, string>> = {
  "is a directory": "the glob tool lists what is in it",
  "no such file": "the glob tool finds files by name",
  [OUTSIDE]: "only files of the workspace can be read",
  [KEPT]: "the person has to give it another way",
};

function ofBytes(name: string, bytes: Uint8Array): Target {
  return {
    name,
    size: bytes.length,
    chunks: (from, count) => [bytes.subarray(from, from + count)],
    source: async () => done(bytes),
    whole: async (maxBytes) =>
      bytes.length > maxBytes ? tooLarge(bytes.length, maxBytes) : done(bytes),
  };
}

const tooLarge = (size: number, maxBytes: number) =>
  failed(`it has ${size} bytes, and at most ${maxBytes} are read`);

function ofFile(name: string, { handle, size, mtimeMs }: Opened, signal: AbortSignal): Target {
  async function* chunks(from: number, count: number): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunksOf(handle, from, count)) {
      signal.throwIfAborted();
      yield chunk;
    }
  }
  async function whole(maxBytes: number): Promise<Tried<Uint8Array>> {
    if (size > maxBytes) return tooLarge(size, maxBytes);
    const read: Uint8Array[] = [];
    for await (const chunk of chunks(0, maxBytes + 1)) read.push(chunk.slice());
    const bytes = Buffer.concat(read);
    // A file may grow while it is read.
    return bytes.length > maxBytes ? tooLarge(bytes.length, maxBytes) : done(bytes);
  }
  return {
    name,
    size,
    mtimeMs,
    chunks,
    whole,
    // Through the handle, so that the file which was checked is the file that is read.
    source: async (maxBytes) =>
      process.platform === "linux" ? done({ path: `/proc/self/fd/${handle.fd}` }) : whole(maxBytes),
  };
}
