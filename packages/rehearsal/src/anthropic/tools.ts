/**
 * Rules about tools: every call answered in the very next message, results leading, no id twice, and
 * a `tool_choice` that names what is there. All sentences are observed unless marked.
 */
import type { Path } from "../check.ts";
import { type Complaint, firstComplaint } from "../refuse.ts";
import { at, invalid } from "./complain.ts";
import { refuseSchemas } from "./schema.ts";
import type { Block, Message, MessagesBody } from "./shape.ts";
import { blocksOf, expectedThinking } from "./turns.ts";

export function refuseTools(body: MessagesBody): Complaint | undefined {
  return firstComplaint(
    () => refuseNames(body),
    () => refuseSchemas(body.tools ?? []),
    () => refuseChoice(body),
    () => refuseDuplicateIds(body.messages),
    () => refuseUnanswered(body.messages),
    () => refuseStrayResults(body.messages),
    () => refuseLostThinking(body),
  );
}

function refuseNames({ tools = [] }: MessagesBody): Complaint | undefined {
  const names = tools.map(({ name }) => name).filter((name) => name !== undefined);
  return new Set(names).size < names.length
    ? invalid("tools: Tool names must be unique.")
    : undefined;
}

function refuseChoice({ tools = [], tool_choice, thinking }: MessagesBody): Complaint | undefined {
  if (!tool_choice || tool_choice.type === "none") return undefined;
  if (tools.length === 0) {
    return invalid("tool_choice may only be specified while providing tools.");
  }
  const { type, name } = tool_choice;
  if (type === "tool" && !tools.some((tool) => tool.name === name)) {
    return invalid(`Tool '${name}' not found in provided tools`);
  }
  if (type !== "auto" && thinking?.type === "enabled") {
    return invalid("Thinking may not be enabled when tool_choice forces tool use.");
  }
  return undefined;
}

const callsIn = (message: Message | undefined): Block[] =>
  message ? blocksOf(message).filter(({ type }) => type === "tool_use") : [];

function refuseDuplicateIds(messages: readonly Message[]): Complaint | undefined {
  const seen = new Set<unknown>();
  for (const [path, block] of everyBlock(messages)) {
    if (block.type !== "tool_use") continue;
    if (seen.has(block.id)) return at(path, "`tool_use` ids must be unique");
    seen.add(block.id);
  }
  return undefined;
}

/**
 * Documented: results are in the very next message and lead it; text before them is refused with the
 * same sentence as no result at all.
 */
function refuseUnanswered(messages: readonly Message[]): Complaint | undefined {
  for (const [index, message] of messages.entries()) {
    const calls = callsIn(message);
    if (calls.length === 0) continue;
    const next = messages[index + 1];
    const answered = new Set(next ? leadingResults(next).map((block) => block.tool_use_id) : []);
    const open = calls.filter(({ id }) => !answered.has(id)).map(({ id }) => id);
    if (open.length > 0) {
      return at(
        ["messages", index],
        `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      );
    }
  }
  return undefined;
}

function leadingResults(message: Message): readonly Block[] {
  const blocks = blocksOf(message);
  const end = blocks.findIndex(({ type }) => type !== "tool_result");
  return end === -1 ? blocks : blocks.slice(0, end);
}

function refuseStrayResults(messages: readonly Message[]): Complaint | undefined {
  for (const [index, message] of messages.entries()) {
    const open = new Set(callsIn(messages[index - 1]).map(({ id }) => id));
    const answered = new Set<unknown>();
    for (const [place, block] of blocksOf(message).entries()) {
      if (block.type !== "tool_result") continue;
      const path = ["messages", index, "content", place];
      if (answered.has(block.tool_use_id)) {
        return at(
          path,
          `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${block.tool_use_id}`,
        );
      }
      if (!open.has(block.tool_use_id)) {
        return at(
          path,
          `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        );
      }
      answered.add(block.tool_use_id);
    }
  }
  return undefined;
}

/** Documented: with manual thinking, the round that is being answered keeps its thinking. */
function refuseLostThinking({ messages, thinking }: MessagesBody): Complaint | undefined {
  const carriesResults = messages.at(-1)?.role === "user" && callsIn(messages.at(-2)).length > 0;
  if (thinking?.type !== "enabled" || !carriesResults) return undefined;
  const previous = messages.at(-2);
  const first = (previous && blocksOf(previous)[0]?.type) ?? "text";
  return first.endsWith("thinking")
    ? undefined
    : at(["messages", messages.length - 2, "content", 0, "type"], expectedThinking(first));
}

export function* everyBlock(messages: readonly Message[]): Generator<[Path, Block]> {
  for (const [index, message] of messages.entries()) {
    for (const [place, block] of blocksOf(message).entries()) {
      yield [["messages", index, "content", place], block];
    }
  }
}
