/**
 * The conversation as a model is shown it, from rows. It reads what is new since the last time, and
 * gives the same objects again, so that what was printed of them can be used again.
 *
 * Everything before a message that fires is over and does not change; the answer in the making is the
 * recorder's. The transcripts of a few sessions stay in memory, the latest used ones.
 */
import type { ContextMessage, Loader, Material, UserContext } from "@galley/assemble";
import { materializeParts } from "@galley/assemble";
import { type KnownContext, knownContext } from "@galley/compose";
import {
  type AssistantPart,
  type MessageId,
  readUserMessage,
  type SessionId,
  type SessionRow,
  SNIFF_BYTES,
  type UserPart,
} from "@galley/parts";
import type { MessageWithParts, Store } from "@galley/persist";
import type { TurnDeps } from "./deps.ts";
import {
  type LoweringRecord,
  materialOf,
  needsLoading,
  recordOf,
  weightOf,
} from "./lowering-record.ts";
import type { Transcript } from "./recording.ts";
import { marked } from "./told-context.ts";
import { TurnError } from "./turn-error.ts";

export type TranscriptDeps = Pick<TurnDeps, "store" | "surroundings" | "now">;

export interface Transcripts {
  of(session: SessionRow): Transcript;
  /** A rewind hid these messages, or is about to. */
  cut(session: SessionId, hidden: readonly MessageId[]): void;
  forget(session: SessionId): void;
}

export type TranscriptLimits = {
  readonly sessions: number;
  /** Characters of all of them together, about. */
  readonly weight: number;
};

const LIMITS: TranscriptLimits = { sessions: 48, weight: 48 * 1024 * 1024 };

type Kept = { readonly lines: readonly Line[]; readonly weight: number };
type Line = {
  readonly seq: number;
  readonly message: ContextMessage;
  readonly weight: number;
  /** What the model knows of the editor after this message. */
  readonly told: KnownContext;
};

export function createTranscripts(deps: TranscriptDeps, limits = LIMITS): Transcripts {
  /** In the order of their last use. */
  const kept = new Map<SessionId, Kept>();

  function keep(session: SessionId, lines: readonly Line[]): void {
    kept.delete(session);
    kept.set(session, { lines, weight: lines.reduce((sum, line) => sum + line.weight, 0) });
    let weight = 0;
    let count = 0;
    for (const [id, each] of [...kept].toReversed()) {
      weight += each.weight;
      count += 1;
      // The one that is in use stays, however large.
      if (id !== session && (count > limits.sessions || weight > limits.weight)) kept.delete(id);
    }
  }

  async function upTo(session: SessionRow, id: MessageId): Promise<readonly ContextMessage[]> {
    const known = kept.get(session.id)?.lines ?? [];
    const at = known.findLastIndex(({ message }) => message.id === id);
    const lines =
      at >= 0 ? known.slice(0, at + 1) : [...known, ...(await news(session, id, known))];
    keep(session.id, lines);
    return lines.map(({ message }) => message);
  }

  async function news(
    session: SessionRow,
    id: MessageId,
    known: readonly Line[],
  ): Promise<readonly Line[]> {
    const after_seq = known.at(-1)?.seq ?? 0;
    const rows = await deps.store.messages.history(session.id, { after_seq });
    const end = rows.findIndex(({ message }) => message.id === id);
    if (end < 0) throw TurnError.make("no-message", { id });
    const lines: Line[] = [];
    let told = known.at(-1)?.told ?? NOTHING_TOLD;
    for (const row of rows.slice(0, end + 1)) {
      const line = await lineOf(deps, session, row, told);
      if (line === undefined) continue;
      lines.push(line);
      told = line.told;
    }
    return lines;
  }

  function cut(session: SessionId, hidden: readonly MessageId[]): void {
    const lines = kept.get(session)?.lines ?? [];
    const at = lines.findIndex(({ message }) => hidden.includes(message.id ?? ""));
    if (at >= 0) keep(session, lines.slice(0, at));
  }

  return {
    cut,
    of: (session) => ({
      upTo: (id) => upTo(session, id),
      forget: () => kept.delete(session.id),
    }),
    forget: (session) => kept.delete(session),
  };
}

const NOTHING_TOLD: KnownContext = new Map();

async function lineOf(
  deps: TranscriptDeps,
  session: SessionRow,
  row: MessageWithParts,
  told: KnownContext,
): Promise<Line | undefined> {
  const { message, parts } = row;
  // A message of host actions was settled before any model; the host's own rows are not for one.
  if (message.disposition === "settled" || message.role === "system") return undefined;
  const seq = message.seq ?? 0;
  const weight = parts.reduce((sum, { data_json }) => sum + data_json.length, 0);
  if (message.role === "assistant") {
    if (parts.length === 0) return undefined;
    // Written by the recorder in this shape; what another program wrote is lowered as it is.
    const said = parts.map(({ data_json }) => JSON.parse(data_json) as AssistantPart);
    return { seq, weight, told, message: { role: "assistant", id: message.id, parts: said } };
  }
  const user = await userContext(deps, session, row, told);
  const held = user.materials.reduce((sum, each) => sum + weightOf(each), 0);
  return { seq, weight: weight + held, told: knownContext([user], told), message: user };
}

async function userContext(
  deps: TranscriptDeps,
  session: SessionRow,
  { message: { id, metadata_json }, parts: rows }: MessageWithParts,
  told: KnownContext,
): Promise<UserContext> {
  const raw = rows.map(({ data_json }) => JSON.parse(data_json) as UserPart);
  const read = readUserMessage({
    role: "user",
    id,
    metadata: JSON.parse(metadata_json),
    parts: raw,
  });
  const parts = read.ok ? marked(read.value.parts, told) : raw.map(setAside);
  const materials = parts.some(needsLoading) ? await decided(deps, session, id, parts) : [];
  return { role: "user", id, parts, materials };
}

/** A row that breaks its schema was not written by this kit: it is shown as an unsupported part. */
const setAside = (part: UserPart): UserPart => ({
  type: `unreadable/${part.type}`,
  ...(typeof part.text === "string" && { text: part.text }),
  original: part,
});

/** What the parts refer to: as it was decided when the message fired, or decided now, once. */
async function decided(
  deps: TranscriptDeps,
  session: SessionRow,
  message_id: MessageId,
  parts: readonly UserPart[],
): Promise<readonly (Material | undefined)[]> {
  const { store } = deps;
  const rows = await store.lowerings.ofMessage(message_id);
  if (rows.length === 0) return decide(deps, session, message_id, parts);
  const materials: (Material | undefined)[] = [];
  for (const { part, record_json } of rows) {
    materials[part] = await materialOf(JSON.parse(record_json) as LoweringRecord, store.blobs);
  }
  return Array.from(materials);
}

async function decide(
  { store, surroundings, now }: TranscriptDeps,
  session: SessionRow,
  message_id: MessageId,
  parts: readonly UserPart[],
): Promise<readonly (Material | undefined)[]> {
  const loader = withBlobs(surroundings.loader(session), store);
  const policy = await surroundings.loadPolicy(session);
  const materials = await materializeParts(parts, loader, policy);
  const at = now();
  await store.transact(async (tx) => {
    const place = { put: (bytes: Uint8Array) => tx.blobs.put(bytes, at) };
    for (const part of parts.keys()) {
      const record_json = JSON.stringify(await recordOf(materials[part], place));
      const row = { message_id, part, session_id: session.id, record_json, created_at: at };
      await tx.lowerings.keep(row);
    }
  });
  return materials;
}

/** Bytes that left their row are in the store; everything else is the host's to read. */
function withBlobs(loader: Loader, store: Store): Loader {
  return {
    ...loader,
    async read(ref, maxBytes) {
      const bytes = ref.kind === "content-id" ? await store.blobs.get(ref.content_id) : undefined;
      if (ref.kind !== "content-id" || bytes === undefined) return loader.read(ref, maxBytes);
      const { length: size } = bytes;
      if (size > maxBytes) return { kind: "head", bytes: bytes.subarray(0, SNIFF_BYTES), size };
      return { kind: "whole", bytes, sha256: ref.content_id.slice("sha256:".length) };
    },
  };
}
