/**
 * Output that may be more than a result holds: its beginning is for the model, and all of it in a
 * file of the session's scratch folder.
 *
 * A command may have put links into that folder, so the file is written the way that any file is.
 */
import type { ToolContext, ToolMetadata } from "@galley/turn";
import { publish, stampOf } from "./publish.ts";
import { SCRATCH, type Scratch } from "./scratch.ts";
import { openPlace } from "./write-place.ts";

export type SpillContext = Pick<ToolContext, "session" | "tool_call_id">;

export type Kept =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: string };

/** Under a name that is the call's; `ending` with its dot. */
export async function keepAll(
  scratch: Scratch,
  { session, tool_call_id }: SpillContext,
  bytes: Uint8Array,
  ending = ".txt",
): Promise<Kept> {
  if ((await scratch.room(session.id)) < bytes.length) {
    return { ok: false, reason: "the scratch folder is full" };
  }
  const root = await scratch.open(session.id);
  const path = `output/${nameOf(tool_call_id)}${ending}`;
  const place = await openPlace({ root, path, isScratch: true });
  if (!place.ok) return place;
  try {
    const published = await publish(place, await stampOf(place), bytes);
    return published.ok ? { ok: true, path: SCRATCH + path } : published;
  } finally {
    await place.handle.close();
  }
}

/** An id comes from a model: only what makes a name is kept of it. */
const nameOf = (id: string): string => id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 80) || "call";

export type Fitted = {
  readonly head: Uint8Array;
  /** What was cut and where the rest is; undefined when nothing was. */
  readonly note: string | undefined;
  readonly metadata: ToolMetadata | undefined;
};

export async function fitOutput(
  scratch: Scratch,
  context: SpillContext,
  bytes: Uint8Array,
  most: number,
): Promise<Fitted> {
  if (bytes.length <= most) return { head: bytes, note: undefined, metadata: undefined };
  const kept = await keepAll(scratch, context, bytes);
  const said = `the first ${most} of ${bytes.length} bytes`;
  const head = bytes.subarray(0, most);
  if (!kept.ok) {
    return {
      head,
      note: `${said}; the rest is lost: ${kept.reason}`,
      metadata: { truncated: true },
    };
  }
  const note = `${said}; all of it is in ${kept.path}, which the read tool opens`;
  return { head, note, metadata: { truncated: true, output_path: kept.path } };
}
