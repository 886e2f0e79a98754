/**
 * What is attached to the messages of a session, for tools: by the name that the conversation shows,
 * or by content id. What another session holds is not found.
 */
import { ContentId, isPart, type PartOf, type SessionId, type UserPart } from "@galley/parts";
import type { MessageWithParts, Store } from "@galley/persist";
import { plainName } from "@galley/shape";
import { done, failed, type Tried } from "../attachments/tried.ts";

export interface Attachments {
  /** Of several with one name the newest. */
  find(session: SessionId, name: string): Promise<Tried<Uint8Array>>;
}

/** Messages that are looked through at a time, from the newest back. */
const PAGE = 50;

export function storedAttachments(store: Pick<Store, "messages" | "blobs">): Attachments {
  async function bytesOf(content_id: string): Promise<Tried<Uint8Array>> {
    const bytes = await store.blobs.get(content_id);
    return bytes ? done(bytes) : failed("its bytes are not stored here");
  }

  async function named(session: SessionId, name: string): Promise<Tried<Uint8Array>> {
    let before: number | undefined;
    for (;;) {
      const query = { last: PAGE, ...(before !== undefined && { before_seq: before }) };
      const page = await store.messages.history(session, query);
      const part = page.toReversed().flatMap(attachmentsOf).find(isNamed(name));
      if (part?.content_id !== undefined) return bytesOf(part.content_id);
      if (part?.data !== undefined) return done(Buffer.from(part.data, "base64"));
      if (part) return failed("it came without its bytes");
      before = page[0]?.message.seq ?? undefined;
      if (page.length < PAGE || before === undefined) return failed("no such attachment");
    }
  }

  return {
    async find(session, name) {
      if (!ContentId.safeParse(name).success) return named(session, name);
      const held = await store.blobs.heldBy(session);
      return held.includes(name) ? bytesOf(name) : failed("no such attachment in this session");
    },
  };
}

type Attachment = PartOf<"file-attachment">;

/** As it is stored, or as it is shown. */
const isNamed = (name: string) => (part: Attachment) =>
  part.name === name || plainName(part.name) === name;

function attachmentsOf({ message, parts }: MessageWithParts): readonly Attachment[] {
  if (message.role !== "user") return [];
  return parts
    .filter(({ type }) => type === "file-attachment" || type === "command")
    .flatMap(({ data_json }) => heldIn(JSON.parse(data_json) as UserPart))
    .toReversed();
}

function heldIn(part: UserPart): readonly Attachment[] {
  if (!isPart(part)) return [];
  if (part.type === "file-attachment") return [part];
  const held = part.type === "command" ? (part.expansion ?? []) : [];
  return held.filter((each) => each.type === "file-attachment");
}
