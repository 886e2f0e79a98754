/**
 * References become materials once, when their message fires.
 *
 * Reading is a port; what is read is decided here: how much of a text is written out, what is only
 * named, and what a failure looks like. Nothing throws: a load that fails is a material.
 */
import {
  base64Head,
  type FileRef,
  isPart,
  mediaClass,
  type Part,
  type Range,
  sniffMedia,
  type UserPart,
} from "@galley/parts";
import type { EntityContext, Material } from "./context.ts";

export type Loaded =
  | {
      readonly kind: "whole";
      readonly bytes: Uint8Array;
      readonly sha256?: string;
      readonly mtime_ms?: number;
    }
  /** Larger than was asked for: the first bytes only, enough to say what it is. */
  | { readonly kind: "head"; readonly bytes: Uint8Array; readonly size: number }
  | { readonly kind: "unavailable"; readonly reason: string };

export type LoadedRange =
  | {
      readonly kind: "range";
      readonly bytes: Uint8Array;
      /** Of the whole file. */
      readonly size: number;
      /** What was really read, after clamping to the file. */
      readonly shown: Range & { readonly total?: number };
      readonly sha256?: string;
      readonly mtime_ms?: number;
      /** Said when the range was clamped or cut. */
      readonly note?: string;
    }
  | { readonly kind: "unavailable"; readonly reason: string };

export interface Loader {
  read(ref: FileRef, maxBytes: number): Promise<Loaded>;
  readRange(ref: FileRef, range: Range, maxBytes: number): Promise<LoadedRange>;
  /** Undefined when there is such a directory, else why not. */
  directoryProblem(path: string): Promise<string | undefined>;
  /** Why this skill cannot be had; absent or undefined when its body comes through the tool. */
  skillProblem?(name: string): Promise<string | undefined>;
  /** Something the host knows that is not a file; undefined when it does not know it. */
  entity?(target: { readonly kind: string }): Promise<EntityContext | undefined>;
}

export type LoadPolicy = {
  /** Whether a whole text is written out when it is small, or always only named. */
  readonly fileRefs: "inline_if_small" | "descriptor";
  readonly inlineTextBytes: number;
  readonly mediaBytes: number;
  readonly rangeBytes: number;
  /** How the model gets at a file of this type that it is only told of; absent without tools. */
  readonly reach?: (mime: string | undefined) => string;
  /** The same of something attached, which has a name and no path. */
  readonly attached?: (file: AttachedFile) => string;
  /** The same of an address; absent where nothing fetches. */
  readonly fetched?: (url: string) => string;
};

export type AttachedFile = {
  readonly name: string;
  /** By its bytes, as far as they were looked at and match something known. */
  readonly mime: string | undefined;
  readonly declared: string;
};

export const DEFAULT_LOAD_POLICY: LoadPolicy = {
  fileRefs: "inline_if_small",
  inlineTextBytes: 32 * 1024,
  mediaBytes: 32 * 1024 * 1024,
  rangeBytes: 256 * 1024,
  reach: () => "the read tool opens it",
};

/** One entry a part, aligned; undefined where a part needs nothing from outside. */
export function materializeParts(
  parts: readonly UserPart[],
  loader: Loader,
  policy: LoadPolicy = DEFAULT_LOAD_POLICY,
): Promise<(Material | undefined)[]> {
  return Promise.all(
    parts.map((part) =>
      isPart(part) ? materialize(part, loader, policy).catch(failedLoad) : undefined,
    ),
  );
}

/** A loader that throws has one file less to show, not one message less. */
const failedLoad = (error: unknown): Material => ({
  kind: "unavailable",
  reason: error instanceof Error ? error.message : String(error),
});

async function materialize(
  part: Part,
  loader: Loader,
  policy: LoadPolicy,
): Promise<Material | undefined> {
  switch (part.type) {
    case "file-ref":
      return loadFile(part.ref, loader, policy);
    case "file-attachment":
      return loadAttachment(part, loader, policy);
    case "directory-ref": {
      const problem = await loader.directoryProblem(part.ref.path);
      return problem === undefined
        ? {
            kind: "descriptor",
            reason: "a directory",
            ...(policy.reach && { reach: "its files can be listed and read" }),
          }
        : { kind: "unavailable", reason: problem };
    }
    case "mention":
      return loadMention(part.target, loader, policy);
    case "command":
      return part.expansion
        ? { kind: "parts", materials: await materializeParts(part.expansion, loader, policy) }
        : undefined;
    case "text":
    case "editor-context":
      return undefined;
  }
}

async function loadMention(
  target: Extract<Part, { type: "mention" }>["target"],
  loader: Loader,
  policy: LoadPolicy,
): Promise<Material | undefined> {
  if (target.kind === "skill") {
    const problem = await loader.skillProblem?.(target.name ?? "");
    return problem === undefined ? undefined : { kind: "unavailable", reason: problem };
  }
  if (target.kind === "file" && target.path !== undefined) {
    const range = target.range && { range: target.range };
    return loadFile({ kind: "path", path: target.path, ...range }, loader, policy);
  }
  const context = await loader.entity?.(target);
  return context && { kind: "entity", context };
}

function loadAttachment(
  part: Extract<Part, { type: "file-attachment" }>,
  loader: Loader,
  policy: LoadPolicy,
): Promise<Material | undefined> | Material | undefined {
  const { data, content_id, url, delivery } = part;
  const reach = attachedReach(part, policy);
  if (data !== undefined || (delivery === "descriptor" && content_id !== undefined)) {
    const mime = data === undefined ? undefined : sniffMedia(base64Head(data));
    return reach && { kind: "attached", reach: reach(mime) };
  }
  if (delivery === "descriptor") return undefined;
  if (content_id !== undefined) {
    const { reach: _, ...rest } = policy;
    const ref = { kind: "content-id", content_id } as const;
    return loadRef(ref, loader, reach ? { ...rest, reach } : rest);
  }
  return url === undefined ? undefined : notFetched(url, policy, part.mime);
}

function attachedReach(
  { name, mime: declared }: Extract<Part, { type: "file-attachment" }>,
  { attached }: LoadPolicy,
): LoadPolicy["reach"] {
  return attached && ((mime) => attached({ name, mime, declared }));
}

/** A tool can open what has a path in the workspace, and by its name what is attached. */
function loadFile(ref: FileRef, loader: Loader, policy: LoadPolicy): Promise<Material> {
  const { reach: _, ...bare } = policy;
  return loadRef(ref, loader, ref.kind === "content-id" ? bare : policy);
}

async function loadRef(ref: FileRef, loader: Loader, policy: LoadPolicy): Promise<Material> {
  if (ref.kind === "url") return notFetched(ref.url, policy);
  if (ref.range) return loadRange(ref, ref.range, loader, policy);
  const loaded = await loader.read(ref, policy.mediaBytes);
  if (loaded.kind === "unavailable") return loaded;
  const mime = sniffMedia(loaded.bytes);
  const size = loaded.kind === "head" ? loaded.size : loaded.bytes.length;
  const reach = reachOf(policy, mime);
  if (loaded.kind === "head") {
    const reason = `over ${policy.mediaBytes} bytes`;
    return { kind: "descriptor", ...(mime && { mime }), size, reason, ...reach };
  }
  const { sha256, mtime_ms } = loaded;
  const facts = { size, ...(sha256 && { sha256 }), ...(mtime_ms !== undefined && { mtime_ms }) };
  if (size === 0) return { kind: "text", text: "", note: "the file is empty", ...facts };
  if (mime === undefined || mediaClass(mime) !== "text") {
    return { kind: "bytes", mime, base64: toBase64(loaded.bytes), ...facts, ...reach };
  }
  if (policy.fileRefs === "descriptor" || size > policy.inlineTextBytes) {
    const reason =
      policy.fileRefs === "descriptor"
        ? "files are named, not read out"
        : `over ${policy.inlineTextBytes} bytes of text`;
    return { kind: "descriptor", mime, size, reason, ...reach };
  }
  const text = decode(loaded.bytes);
  if (text === undefined) {
    const base64 = toBase64(loaded.bytes);
    return { kind: "bytes", mime: undefined, base64, ...facts, ...reach };
  }
  return { kind: "text", text, mime, ...facts };
}

async function loadRange(
  ref: FileRef,
  range: Range,
  loader: Loader,
  policy: LoadPolicy,
): Promise<Material> {
  const loaded = await loader.readRange(ref, range, policy.rangeBytes);
  if (loaded.kind === "unavailable") return loaded;
  const { bytes, size, shown, sha256, mtime_ms, note } = loaded;
  const text = decode(bytes);
  if (text === undefined) {
    return {
      kind: "descriptor",
      size,
      reason: "the range is not text",
      ...reachOf(policy, undefined),
    };
  }
  return {
    kind: "text",
    text,
    size,
    shown,
    ...(sha256 && { sha256 }),
    ...(mtime_ms !== undefined && { mtime_ms }),
    ...(note && { note }),
  };
}

const reachOf = ({ reach }: LoadPolicy, mime: string | undefined): { reach?: string } =>
  reach ? { reach: reach(mime) } : {};

/** A reference is named by its address; of an attachment the address has to be told. */
function notFetched(url: string, { fetched }: LoadPolicy, mime?: string): Material {
  const told = fetched?.(url) ?? (mime === undefined ? undefined : `it is at ${url}`);
  return {
    kind: "descriptor",
    ...(mime && { mime }),
    reason: "an address is not fetched on its own",
    ...(told !== undefined && /^https?:/i.test(url) && { reach: told }),
  };
}

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The one way a fatal decode fails: these bytes are not UTF-8.
    return undefined;
  }
}

/** A multiple of three, so that the texts of the runs join without padding in between. */
const RUN = 0x6000;

export function toBase64(bytes: Uint8Array): string {
  const runs: string[] = [];
  for (let at = 0; at < bytes.length; at += RUN) {
    runs.push(btoa(String.fromCharCode(...bytes.subarray(at, at + RUN))));
  }
  return runs.join("");
}
