/**
 * Paste as reference: something of the host's that was copied as a thing becomes its id.
 *
 * The id is what a tool needs to read the thing, so it is never cut; what a host adds to it, a
 * title or a thumbnail's address, gives way like any payload.
 */
import type { PartOf } from "@galley/parts";
import type { PastedEntity } from "../draft.ts";
import { entityPart } from "../paste.ts";
import { capPayload } from "./cap-payload.ts";
import type { ContextPolicy } from "./policy.ts";

/** Code units. */
export const LONGEST_ID = 1024;

export type Reference =
  | { readonly ok: true; readonly part: PartOf<"editor-context"> }
  | { readonly ok: false; readonly reason: string };

export function referencePart(
  entity: PastedEntity,
  { maxBytes }: Pick<ContextPolicy, "maxBytes">,
): Reference {
  const { length } = entity.id;
  if (length === 0) return { ok: false, reason: "what was pasted has no id to refer to it by" };
  if (length > LONGEST_ID) {
    const reason = `the id of what was pasted has ${length} characters; at most ${LONGEST_ID} are taken`;
    return { ok: false, reason };
  }
  const part = entityPart(entity) as PartOf<"editor-context">;
  const { payload } = capPayload(part.payload, maxBytes, ["id"]);
  return {
    ok: true,
    part: { ...part, payload: { ...payload } as typeof part.payload, origin: "explicit" },
  };
}
