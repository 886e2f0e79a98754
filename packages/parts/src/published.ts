/** Every shape that others may rely on, by the name of its file under `schemas/`. */
import { z } from "zod";
import { AssistantPart } from "./assistant-part.ts";
import { UiChunk } from "./chunk.ts";
import { Problem } from "./error.ts";
import { HostEvent } from "./event.ts";
import { AssistantMessage, UserMessage } from "./message.ts";
import { Outcome } from "./outcome.ts";
import { Part } from "./part.ts";
import { MessageRow, PartRow, SessionRow, SessionStatus } from "./session.ts";
import { Usage } from "./usage.ts";

const PUBLISHED = {
  "user-message": UserMessage,
  "assistant-message": AssistantMessage,
  part: Part,
  "assistant-part": AssistantPart,
  "session-row": SessionRow,
  "message-row": MessageRow,
  "part-row": PartRow,
  "session-status": SessionStatus,
  event: HostEvent,
  "ui-chunk": UiChunk,
  outcome: Outcome,
  usage: Usage,
  problem: Problem,
} as const satisfies Record<string, z.ZodType>;

export type PublishedName = keyof typeof PUBLISHED;

/** File name without ending → JSON Schema (draft 2020-12), in a stable order. */
export function publishedSchemas(): ReadonlyMap<string, object> {
  return new Map(
    Object.entries(PUBLISHED).map(([name, schema]) => [
      name,
      { $id: `${name}.json`, title: name, ...z.toJSONSchema(schema, { io: "input" }) },
    ]),
  );
}
