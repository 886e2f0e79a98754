/** The tools that change files: a whole text, or a passage in one. */
import { plainName } from "@galley/shape";
import type { Tool, ToolContext, ToolOutput } from "@galley/turn";
import { z } from "zod";
import { oneAtATime } from "../one-at-a-time.ts";
import { type Refused, readOpened } from "../workspace/read-file.ts";
import { defineTool, refuse, say } from "./define-tool.ts";
import { type Edit, editText } from "./edit-text.ts";
import { openAllowed } from "./open-allowed.ts";
import { publish, type Stamp, stampOf } from "./publish.ts";
import { NO_WORKSPACE, placeOf, type ToolPlaces } from "./target.ts";
import { openPlace, type WritePlace } from "./write-place.ts";

/** Bytes of a text that is written or edited. */
const MOST_BYTES = 4 * 1024 * 1024;

const PATH = z
  .string()
  .min(1)
  .max(4096)
  .describe(
    "The file, from the workspace's root; `scratch:…` is one of this session's scratch folder.",
  );

export type ChangeTools = { readonly write: Tool; readonly edit: Tool };

export function changeTools(places: ToolPlaces): ChangeTools {
  const inTurn = oneAtATime();
  const change: Change = (context, path, make) => changeFile(places, inTurn, context, path, make);
  return { write: writeTool(change), edit: editTool(change) };
}

/** What a file is to become, from what it is. */
type Make = (before: Before) => Promise<Made | Refused>;
type Made = { readonly ok: true; readonly bytes: Uint8Array; readonly says: string };
type Before = { readonly place: WritePlace; readonly stamp: Stamp };
type Change = (context: ToolContext, path: string, make: Make) => Promise<ToolOutput>;

const writeTool = (change: Change): Tool =>
  defineTool({
    name: "write",
    description: `Writes a text file, at most ${MOST_BYTES} bytes: a new one, with the folders it needs, or a new content for one that is there. The content is all of the file; to change a passage use edit. It is there at once or not at all. It writes text alone, no file of git's own, and nothing outside the workspace and the scratch folder.`,
    input: z.strictObject({
      path: PATH,
      content: z.string().describe("All of the file's text, as it is to be."),
    }),
    subject: ({ path }) => path,
    run: ({ path, content }, context) =>
      change(context, path, async ({ stamp }) => {
        if (!content.isWellFormed()) return no("the content holds half of a character");
        const bytes = Buffer.from(content);
        const was = stamp ? "replaced" : "new";
        return { ok: true, bytes, says: `${was}, ${bytes.length} bytes` };
      }),
  });

const editTool = (change: Change): Tool =>
  defineTool({
    name: "edit",
    description:
      "Replaces a passage of a text file by another. The passage has to be in the file as it is now, word for word, and only once, unless all of them are meant; otherwise nothing is changed and the reason is told. Use it for a change to a file that you have read; for a new file or a whole one use write. It knows no patterns.",
    input: z.strictObject({
      path: PATH,
      old_text: z
        .string()
        .min(1)
        .describe("The passage, with as many lines around it as make it the only one."),
      new_text: z.string().describe("What stands there instead; empty takes the passage out."),
      replace_all: z
        .boolean()
        .optional()
        .describe("Every such passage is meant; false unless said."),
    }),
    subject: ({ path }) => path,
    run: ({ path, ...wish }, context) =>
      change(context, path, async ({ place, stamp }) => {
        if (stamp === undefined) return no("no such file; the write tool makes one");
        const current = await readCurrent(place);
        return current.ok ? edited(current.text, wish) : current;
      }),
  });

function edited(
  text: string,
  wish: Omit<Edit, "replace_all"> & { readonly replace_all?: boolean | undefined },
): Made | Refused {
  if (!wish.new_text.isWellFormed()) return no("the new text holds half of a character");
  const done = editText(text, { ...wish, replace_all: wish.replace_all === true });
  if (!done.ok) return done;
  const where = done.lines.slice(0, 20).join(", ") + (done.lines.length > 20 ? ", …" : "");
  const bytes = Buffer.from(done.text);
  return { ok: true, bytes, says: `changed at line ${where}; ${bytes.length} bytes now` };
}

type Current = { readonly ok: true; readonly text: string } | Refused;

async function readCurrent({ folder, name }: WritePlace): Promise<Current> {
  // The folder is open already; only what stands in it now is asked.
  const opened = await openAllowed(folder, name, "none");
  if (!opened.ok) return opened;
  const read = await readOpened(opened, MOST_BYTES);
  if (!read.ok) return read;
  if (read.more) return no(`it is larger than the ${MOST_BYTES} bytes that can be edited`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(read.bytes);
    return text.includes("\0") ? no("it is no text") : { ok: true, text };
  } catch {
    // The one way a fatal decode fails: these bytes are not UTF-8.
    return no("it is no UTF-8 text");
  }
}

const no = (reason: string): Refused => ({ ok: false, reason });

async function changeFile(
  places: ToolPlaces,
  inTurn: ReturnType<typeof oneAtATime>,
  { session }: ToolContext,
  path: string,
  make: Make,
): Promise<ToolOutput> {
  const place = placeOf(places, session, path);
  if (place === undefined) return refuse(NO_WORKSPACE);
  if (place.isScratch) await places.scratch.open(session.id);
  const room = place.isScratch ? await places.scratch.room(session.id) : Number.POSITIVE_INFINITY;
  const opened = await openPlace(place);
  if (!opened.ok) return refuse(sayNo(path, opened.reason));
  try {
    return await inTurn(opened.real, () => changeOpened(opened, path, room, make));
  } finally {
    await opened.handle.close();
  }
}

async function changeOpened(
  place: WritePlace,
  path: string,
  room: number,
  make: Make,
): Promise<ToolOutput> {
  const stamp = await stampOf(place);
  if (stamp && !stamp.isFile) return refuse(sayNo(path, "not a regular file"));
  const made = await make({ place, stamp });
  if (!made.ok) return refuse(sayNo(path, made.reason));
  const { length } = made.bytes;
  if (length > MOST_BYTES) return refuse(sayNo(path, `${length} bytes are over ${MOST_BYTES}`));
  if (length > room) return refuse(sayNo(path, "the scratch folder is full"));
  const published = await publish(place, stamp, made.bytes);
  if (!published.ok) return refuse(sayNo(path, published.reason));
  return say(`${plainName(path)}: ${made.says}`);
}

const sayNo = (path: string, reason: string): string =>
  `${plainName(path)} was not changed: ${reason}`;
