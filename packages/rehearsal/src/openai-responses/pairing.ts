/**
 * Rules across the items of an input: references that resolve, calls and outputs that pair one to
 * one, reasoning that stays with what it led to, ids that say what they are.
 *
 * The sentences are observed; that the API binds calls and outputs one to one, in order, is too.
 */
import { invalid } from "../openai/complain.ts";
import { type Complaint, firstComplaint } from "../refuse.ts";
import { isSeal, sealHolds } from "../seal.ts";
import type { Item } from "./items.ts";
import type { ResponsesBody } from "./shape.ts";
import type { StoredItems } from "./stored.ts";

const notFound = (message: string, param: string, code: string | null = null): Complaint => ({
  ...invalid(message, param, code),
  status: 404,
});

/** The whole conversation: what is continued, then the input with its references resolved. */
export function resolveItems(body: ResponsesBody, stored: StoredItems): Complaint | Item[] {
  const before = earlierItems(body, stored);
  if (!Array.isArray(before)) return before;
  const input = typeof body.input === "string" ? [userMessage(body.input)] : (body.input ?? []);
  const resolved: Item[] = [...before];
  for (const item of input) {
    const known = item.type === "item_reference" ? stored.item(String(item.id))?.item : item;
    if (!known) return notFound(`Item with id '${item.id}' not found.`, "input");
    resolved.push(known);
  }
  return resolved;
}

const userMessage = (content: string): Item => ({ type: "message", role: "user", content });

function earlierItems(body: ResponsesBody, stored: StoredItems): Complaint | Item[] {
  if (body.conversation) {
    return notFound("Conversation not found: no conversations are rehearsed.", "conversation");
  }
  const id = body.previous_response_id;
  if (!id) return [];
  const items = stored.response(id);
  return items
    ? [...items]
    : invalid(
        `Previous response with id '${id}' not found.`,
        "previous_response_id",
        "previous_response_not_found",
      );
}

export function refuseItems(
  items: readonly Item[],
  body: ResponsesBody,
  stored: StoredItems,
  verifySeals: boolean,
): Complaint | undefined {
  return firstComplaint(
    () => refuseIds(items),
    () => refuseReasoning(items, body, stored, verifySeals),
    () => refuseLostReasoning(items, stored),
    () => refuseCalls(items),
  );
}

const PREFIXES: { readonly [type: string]: string } = {
  message: "msg",
  function_call: "fc",
  reasoning: "rs",
  custom_tool_call: "ctc",
  web_search_call: "ws",
};

function refuseIds(items: readonly Item[]): Complaint | undefined {
  const seen = new Set<string>();
  for (const [index, { type, id }] of items.entries()) {
    if (!id) continue;
    const prefix = PREFIXES[type];
    if (prefix && !id.startsWith(prefix)) {
      const param = `input[${index}].id`;
      return invalid(
        `Invalid '${param}': '${id}'. Expected an ID that begins with '${prefix}'.`,
        param,
        "invalid_value",
      );
    }
    if (seen.has(id)) {
      return invalid(
        `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`,
        "input",
      );
    }
    seen.add(id);
  }
  return undefined;
}

/** What may follow reasoning: whatever the model itself puts out. */
const follows = (item: Item | undefined): boolean =>
  item !== undefined &&
  (item.type === "message" ? item.role === "assistant" : !item.type.endsWith("_output"));

function refuseReasoning(
  items: readonly Item[],
  { store }: ResponsesBody,
  stored: StoredItems,
  verifySeals: boolean,
): Complaint | undefined {
  for (const [index, item] of items.entries()) {
    if (item.type !== "reasoning") continue;
    const sealed = item.encrypted_content;
    if (typeof sealed !== "string" && !stored.item(String(item.id))) {
      const why =
        store === false
          ? " Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input."
          : "";
      return notFound(`Item with id '${item.id}' not found.${why}`, "input");
    }
    const broken =
      verifySeals && typeof sealed === "string" ? brokenSeal(sealed, item.id) : undefined;
    if (broken) {
      return invalid(
        `The encrypted content for item ${item.id} could not be verified. Reason: ${broken}`,
        null,
        "invalid_encrypted_content",
      );
    }
    if (!follows(items[index + 1])) {
      return invalid(
        `Item '${item.id}' of type 'reasoning' was provided without its required following item.`,
        "input",
      );
    }
  }
  return undefined;
}

function brokenSeal(sealed: string, id: Item["id"]): string | undefined {
  if (!isSeal(sealed)) return "Encrypted content could not be decrypted or parsed.";
  return sealHolds(sealed, String(id))
    ? undefined
    : "Encrypted content item_id did not match the target item id.";
}

function refuseLostReasoning(items: readonly Item[], stored: StoredItems): Complaint | undefined {
  const ids = new Set(items.map(({ id }) => id));
  for (const { id, type } of items) {
    const needed = id ? stored.item(id)?.reasoning : undefined;
    if (needed && !ids.has(needed)) {
      return invalid(
        `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${needed}'.`,
        "input",
      );
    }
  }
  return undefined;
}

const NOUNS: { readonly [type: string]: string } = {
  function_call: "function call",
  custom_tool_call: "custom tool call",
};

function refuseCalls(items: readonly Item[]): Complaint | undefined {
  const open = new Map<string, number>();
  const key = (type: string, id: unknown) => `${type} ${id}`;
  for (const { type, call_id } of items) {
    if (NOUNS[type]) open.set(key(type, call_id), (open.get(key(type, call_id)) ?? 0) + 1);
    const noun = type.endsWith("_output") ? NOUNS[type.slice(0, -"_output".length)] : undefined;
    if (!noun) continue;
    const call = key(type.slice(0, -"_output".length), call_id);
    const waiting = open.get(call) ?? 0;
    if (waiting === 0) {
      return invalid(`No tool call found for ${noun} output with call_id ${call_id}.`, "input");
    }
    open.set(call, waiting - 1);
  }
  const unanswered = items.find(
    ({ type, call_id }) => NOUNS[type] && (open.get(key(type, call_id)) ?? 0) > 0,
  );
  return (
    unanswered &&
    invalid(`No tool output found for ${NOUNS[unanswered.type]} ${unanswered.call_id}.`, "input")
  );
}
