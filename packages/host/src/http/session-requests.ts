/** What the calls about sessions take: each schema is the door and the description at once. */
import { MessageId, SessionId, UserPart } from "@galley/parts";
import { z } from "zod";
import { hasWords, model, NO_WORDS, said } from "./requests.ts";

const title = z.string().max(1_000);
const metadata = z.record(z.string().min(1).max(256), z.json());

export const CreateSession = z.strictObject({
  id: SessionId.exactOptional().describe("minted by the client, or by us when absent"),
  agent: z.string().min(1).max(256).exactOptional(),
  workspace: z.string().min(1).max(4_096).exactOptional(),
  model,
  title: title.exactOptional(),
  metadata: metadata.exactOptional(),
});

export const PatchSession = z
  .strictObject({
    title: title.nullable().exactOptional().describe("null takes it away"),
    model: z.string().min(1).nullable().exactOptional().describe("provider/model; null: default"),
    metadata: metadata.exactOptional().describe("keys to set; null takes a key away"),
    archived: z.boolean().exactOptional(),
    stop_policy: z.enum(["drain", "hold", "clear"]).exactOptional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, "give at least one field to change");

export const SubmitRequest = z
  .strictObject({
    id: MessageId.exactOptional().describe("the key under which a retry is known"),
    ...said,
    model,
  })
  .refine(hasWords, NO_WORDS);

export const AbortRequest = z.strictObject({
  clear_queue: z.boolean().exactOptional().describe("what waits is cancelled too"),
});

export const NothingRequest = z.strictObject({});

const tool_call_id = z.string().min(1).max(1_024);

export const AnswerRequest = z.union([
  z.strictObject({
    tool_call_id,
    decision: z.enum(["allow", "deny"]),
    scope: z.enum(["once", "session"]).exactOptional(),
  }),
  z.strictObject({
    tool_call_id,
    answers: z.array(z.array(z.string())).describe("one list for each question"),
  }),
]);

export const DismissRequest = z.strictObject({ tool_call_id });

export const QueuePatch = z
  .strictObject({
    parts: z.array(UserPart).min(1).exactOptional(),
    before: MessageId.exactOptional().describe("another message's id"),
    after: MessageId.exactOptional().describe("another message's id"),
  })
  .refine(({ before, after }) => before === undefined || after === undefined, {
    error: "give before or after, not both",
  })
  .refine((patch) => Object.keys(patch).length > 0, "give parts, before or after");

const flag = z.enum(["true", "false", "1", "0", ""]);
/** `?include_archived` alone says yes, as does `=true`. */
export const isSet = (value: z.infer<typeof flag> | undefined): boolean =>
  value !== undefined && value !== "false" && value !== "0";

export const SessionsQuery = z.strictObject({
  include_archived: flag.exactOptional(),
  include_ephemeral: flag.exactOptional(),
  parent_id: SessionId.exactOptional(),
  workspace: z.string().max(4_096).exactOptional(),
  cursor: z.string().max(1_024).exactOptional().describe("from the page before"),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|[1-4]\d\d|500)$/, "a number from 1 to 500")
    .exactOptional(),
});

export const MessagesQuery = z.strictObject({
  after: MessageId.exactOptional().describe("only what came after this message"),
  last: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, "a number from 1")
    .exactOptional()
    .describe("the newest so many, still oldest first"),
  include_hidden: flag.exactOptional().describe("what a rewind hid too"),
});

export const EventsQuery = z.strictObject({
  session_id: SessionId.exactOptional().describe("of one session alone"),
});

export const ExportQuery = z.strictObject({
  format: z.enum(["jsonl", "json"]).exactOptional().describe("jsonl when absent"),
  blobs: flag.exactOptional().describe("false leaves the bytes of blobs and requests out"),
});
