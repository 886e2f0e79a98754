/**
 * Words, references and files to one draft, and the draft to a typed message.
 *
 * A reference stays a reference: the file is looked at only to tell a directory from a file and to
 * warn about what the model will not get. An attachment is its bytes: one that cannot be had is a
 * refusal, because the person asked for it to go along.
 */
import { lstat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { type ComposeHost, type Draft, type DraftPart, readRef } from "@galley/compose";
import type { UserPart } from "@galley/parts";
import { plainName } from "@galley/shape";
import type { ComposedMessage, Compositor } from "../compositor/compositor.ts";
import { HostError } from "../host-error.ts";
import { fileLoader, fileProblem } from "../workspace/loader.ts";
import { mediaOf } from "../workspace/media-name.ts";
import { type Refused, readOpened, readRegular } from "../workspace/read-file.ts";
import { contains, openInside, storedPath } from "../workspace/roots.ts";
import { checkMessage } from "./check-message.ts";
import type { ComposeInput } from "./pipeline.ts";

export type ComposeDeps = {
  readonly workspace: string;
  /** Paths are looked up from here first; one inside the workspace wins. */
  readonly cwd: string;
  readonly attachFrom: "anywhere" | "workspace";
  readonly limits: { readonly attachment_bytes: number; readonly message_bytes: number };
  readonly compositor: Compositor;
  warn(line: string): void;
};

export async function compose(
  input: ComposeInput,
  deps: ComposeDeps,
  act?: ComposeHost["act"],
): Promise<ComposedMessage> {
  const draft = await draftOf(input, deps);
  const composed = await deps.compositor.compose(draft, input.editorContext, act);
  return { ...composed, message: checkMessage(composed.message) };
}

async function draftOf(input: ComposeInput, deps: ComposeDeps): Promise<Draft> {
  const typed: DraftPart[] = input.text ? [{ type: "typed", text: input.text }] : [];
  const said = [...typed, ...(input.draft?.parts ?? [])];
  return {
    ...input.draft,
    parts: [
      ...(input.plain ? said.map(verbatim) : said),
      ...(await partsOf(input, deps)),
      ...(input.parts ?? []),
    ],
  };
}

/** A text that is given as a part is not searched, now or when the message is opened again. */
const verbatim = (part: DraftPart): DraftPart =>
  part.type === "typed" ? { type: "text", text: String(part.text) } : part;

async function partsOf(input: ComposeInput, deps: ComposeDeps): Promise<readonly UserPart[]> {
  const parts: UserPart[] = [];
  for (const ref of input.refs ?? []) parts.push(await refPart(ref, deps));
  let room = deps.limits.message_bytes;
  for (const path of input.attach ?? []) {
    const part = await attachmentPart(path, deps);
    parts.push(part);
    room -= part.data.length;
    if (room < 0) {
      const limit = deps.limits.message_bytes;
      const what = "a message with all these attachments";
      throw HostError.make("too_large", { what, limit, key: "limits.message_bytes" });
    }
  }
  return parts;
}

async function refPart(text: string, deps: ComposeDeps): Promise<UserPart> {
  if (/^https?:\/\//i.test(text)) return { type: "file-ref", ref: { kind: "url", url: text } };
  const ref = await readRef(text, async (path) => (await locate(path, deps)) !== undefined);
  const found = (await locate(ref.path, deps)) ?? resolve(deps.workspace, ref.path);
  const path = await storedPath(deps.workspace, found);
  const noFolder = await fileLoader(deps.workspace).directoryProblem(path);
  if (!ref.range && noFolder === undefined) {
    return { type: "directory-ref", ref: { kind: "path", path } };
  }
  warnOf(text, await fileProblem(deps.workspace, path), deps);
  const range = ref.range && { range: ref.range };
  return { type: "file-ref", ref: { kind: "path", path, ...range } };
}

function warnOf(ref: string, problem: string | undefined, deps: ComposeDeps): void {
  if (problem === undefined) return;
  deps.warn(`the reference ${plainName(ref)} will be a placeholder: ${problem}`);
}

/** A shell's path is meant from where the person is; a script's often from the workspace. */
async function locate(named: string, { cwd, workspace }: ComposeDeps): Promise<string | undefined> {
  const candidates = [resolve(cwd, named), resolve(workspace, named)];
  const there = await Promise.all(candidates.map(exists));
  const existing = candidates.filter((_, index) => there[index]);
  return existing.find((path) => contains(workspace, path)) ?? existing[0];
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    // Whatever keeps it from being looked at is said when it is read.
    () => false,
  );

type Attached = Extract<UserPart, { type: "file-attachment" }> & { data: string };

async function attachmentPart(named: string, deps: ComposeDeps): Promise<Attached> {
  const found = (await locate(named, deps)) ?? resolve(deps.workspace, named);
  const limit = deps.limits.attachment_bytes;
  const read = await readAttachment(found, deps);
  if (!read.ok) {
    throw HostError.make("unreadable", { what: "attachment", path: named, reason: read.reason });
  }
  if (read.more) {
    const size = read.size > limit ? { size: read.size } : {};
    throw HostError.make("too_large", {
      what: `the attachment ${named}`,
      ...size,
      limit,
      key: "limits.attachment_bytes",
    });
  }
  const bytes = Buffer.from(read.bytes.buffer, read.bytes.byteOffset, read.bytes.length);
  const name = basename(found);
  return {
    type: "file-attachment",
    name,
    mime: mediaOf(name, bytes),
    size: bytes.length,
    data: bytes.toString("base64"),
  };
}

async function readAttachment(path: string, deps: ComposeDeps): ReturnType<typeof readRegular> {
  const limit = deps.limits.attachment_bytes;
  if (deps.attachFrom === "anywhere") return readRegular(path, limit);
  const opened = await openInside(deps.workspace, path);
  if (!opened.ok) return opened satisfies Refused;
  const { handle, size, mtimeMs } = opened;
  if (size <= limit) return readOpened(opened, limit);
  await handle.close();
  return { ok: true, bytes: new Uint8Array(), more: true, size, mtimeMs };
}
