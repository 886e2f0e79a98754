/**
 * Rules about who speaks when, and about the words themselves: first role, empty and blank text, the
 * final assistant message, thinking blocks and their signatures.
 *
 * "Observed" means: the sentence is one the API is on public record for.
 */
import type { RehearsalModel } from "../model.ts";
import { type Complaint, firstComplaint } from "../refuse.ts";
import { sealHolds } from "../seal.ts";
import { at, invalid } from "./complain.ts";
import type { ApiVersion, Block, Message, MessagesBody } from "./shape.ts";

export const blocksOf = (message: Message): readonly Block[] =>
  typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;

export function refuseTurns(
  body: MessagesBody,
  model: RehearsalModel,
  { version, verifySeals }: { readonly version: ApiVersion; readonly verifySeals: boolean },
): Complaint | undefined {
  return firstComplaint(
    () => refuseRoles(body.messages, model),
    () => refuseBlocksByRole(body.messages, version),
    () => (version === "2026-10-21" ? refuseCitations(body.messages) : undefined),
    () => refuseEmpty(body),
    () => refuseFinal(body, model),
    () => (verifySeals ? refuseSignatures(body.messages) : undefined),
  );
}

function refuseRoles(messages: readonly Message[], model: RehearsalModel): Complaint | undefined {
  if (messages.length === 0) return invalid("messages: at least one message is required");
  // Observed on Bedrock and on the API until the end of 2024; the API has since relaxed it.
  if (messages[0]?.role !== "user") {
    return invalid('messages: first message must use the "user" role');
  }
  for (const [index, { role }] of messages.entries()) {
    if (role !== "system") continue;
    if (model.systemRole === false) return invalid("role 'system' is not supported on this model");
    // Documented: a system message stands immediately after a user turn.
    if (messages[index - 1]?.role !== "user") {
      return at(["messages", index], "role 'system' must immediately follow a 'user' message");
    }
  }
  return undefined;
}

const ONLY_USER = ["tool_result", "image", "search_result", "container_upload"];
const ONLY_ASSISTANT = ["tool_use", "thinking", "redacted_thinking", "server_tool_use"];

function refuseBlocksByRole(
  messages: readonly Message[],
  version: ApiVersion,
): Complaint | undefined {
  // Documented: documents in assistant messages are refused since 2026-10-21.
  const onlyUser = version === "2026-10-21" ? [...ONLY_USER, "document"] : ONLY_USER;
  for (const [index, message] of messages.entries()) {
    for (const { type } of blocksOf(message)) {
      const owner = onlyUser.includes(type)
        ? "user"
        : ONLY_ASSISTANT.includes(type)
          ? "assistant"
          : message.role;
      if (owner !== message.role) {
        return at(["messages", index], `\`${type}\` blocks can only be in \`${owner}\` messages`);
      }
    }
  }
  return undefined;
}

/** Documented: since 2026-10-21 only an assistant's words may carry citations. */
function refuseCitations(messages: readonly Message[]): Complaint | undefined {
  for (const [index, message] of messages.entries()) {
    if (message.role !== "user") continue;
    const place = blocksOf(message).findIndex((block) =>
      [block, ...innerBlocks(block)].some(
        ({ citations }) => Array.isArray(citations) && citations.length > 0,
      ),
    );
    if (place !== -1) {
      return at(
        ["messages", index, "content", place],
        "citations are not allowed in user messages",
      );
    }
  }
  return undefined;
}

const innerBlocks = (block: Block): readonly Block[] =>
  Array.isArray(block.content) ? (block.content as Block[]) : [];

/** Observed: all three sentences. */
function refuseEmpty({ messages, system }: MessagesBody): Complaint | undefined {
  for (const [index, message] of messages.entries()) {
    const isFinalAssistant = index === messages.length - 1 && message.role === "assistant";
    if (message.content.length === 0 && !isFinalAssistant) {
      return at(
        ["messages", index],
        "all messages must have non-empty content except for the optional final assistant message",
      );
    }
    if (message.content.length === 0) continue;
    for (const block of textsIn(blocksOf(message))) {
      if (block.text === "" && block.cache_control) {
        return at(["messages", index], "cache_control cannot be set for empty text blocks");
      }
      if (block.text === "") return invalid("messages: text content blocks must be non-empty");
      if (isBlank(block.text)) {
        return invalid("messages: text content blocks must contain non-whitespace text");
      }
    }
  }
  const layers = typeof system === "string" ? [] : textsIn(system ?? []);
  return layers.some(({ text }) => text === "")
    ? invalid("system: text content blocks must be non-empty")
    : undefined;
}

const isBlank = (text: unknown): boolean => typeof text === "string" && text.trim() === "";

/** Text blocks, those inside tool results included. */
function textsIn(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) => {
    if (block.type === "text") return [block];
    return block.type === "tool_result" ? textsIn(innerBlocks(block)) : [];
  });
}

function refuseFinal({ messages, thinking }: MessagesBody, model: RehearsalModel) {
  const final = messages.at(-1);
  if (final?.role !== "assistant") return undefined;
  if (model.prefill === false) {
    return invalid(
      "This model does not support assistant message prefill. The conversation must end with a user message.",
    );
  }
  const last = blocksOf(final).at(-1);
  if (last?.type === "text" && /\s$/.test(String(last.text))) {
    return invalid("messages: final assistant content cannot end with trailing whitespace");
  }
  const first = blocksOf(final)[0]?.type ?? "text";
  if (thinking?.type === "enabled" && !first.endsWith("thinking")) {
    return at(["messages", messages.length - 1, "content", 0, "type"], expectedThinking(first));
  }
  return undefined;
}

/** Observed; the sentence also covers a tool round that lost its thinking. */
export const expectedThinking = (found: string): string =>
  `Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`;

/** Documented: a thinking block comes back unmodified, or the request is refused. */
function refuseSignatures(messages: readonly Message[]): Complaint | undefined {
  for (const [index, message] of messages.entries()) {
    for (const [place, block] of blocksOf(message).entries()) {
      const forged =
        block.type === "thinking" && !sealHolds(String(block.signature), String(block.thinking));
      if (forged) {
        return at(["messages", index, "content", place], "Invalid `signature` in `thinking` block");
      }
    }
  }
  return undefined;
}
