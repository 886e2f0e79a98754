/**
 * Content blocks of the Messages API as closed shapes, after the `*BlockParam` types of
 * `@anthropic-ai/sdk` 1.8. What only Anthropic's own server tools write is closed at its first level
 * and open below: nobody but that server reads it.
 */
import {
  anything,
  byType,
  choice,
  flag,
  lazy,
  list,
  nullable,
  object,
  optional,
  type Shape,
  tagged,
  text,
} from "../check.ts";

export const cacheControl = nullable(
  tagged("type", {
    ephemeral: object({ type: choice("ephemeral"), ttl: optional(choice("5m", "1h")) }),
  }),
);
const cached = { cache_control: optional(cacheControl) };
const citationsConfig = optional(nullable(object({ enabled: optional(flag) })));

const ID = /^[a-zA-Z0-9_-]+$/;
const caller = optional(object({ type: text(), tool_id: optional(text()) }));
const toolset = { toolset_name: optional(nullable(text())) };

const citation = object({ type: text(), cited_text: text() }, { open: true });
export const textBlock = object({
  type: choice("text"),
  text: text(),
  ...cached,
  citations: optional(nullable(list(citation))),
});

const url = object({ type: choice("url"), url: text() });
const file = object({ type: choice("file"), file_id: text() });

export const IMAGE_TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

const image = object({
  type: choice("image"),
  source: tagged(
    "type",
    {
      base64: object({ type: choice("base64"), data: text(), media_type: choice(...IMAGE_TYPES) }),
      url,
      file,
    },
    true,
  ),
  ...cached,
  transformations: optional(
    nullable(object({ oversized_image: optional(choice("downsize", "error")) })),
  ),
});

const document = object({
  type: choice("document"),
  source: tagged(
    "type",
    {
      base64: object({
        type: choice("base64"),
        data: text(),
        media_type: choice("application/pdf"),
      }),
      text: object({ type: choice("text"), data: text(), media_type: choice("text/plain") }),
      content: object({
        type: choice("content"),
        content: byType({
          string: text(),
          array: list(tagged("type", { text: textBlock, image }, true)),
        }),
      }),
      url,
      file,
    },
    true,
  ),
  ...cached,
  citations: citationsConfig,
  context: optional(nullable(text())),
  title: optional(nullable(text())),
});

const searchResult = object({
  type: choice("search_result"),
  content: list(textBlock),
  source: text(),
  title: text(),
  ...cached,
  citations: citationsConfig,
});

const toolReference = object({ type: choice("tool_reference"), tool_name: text(), ...cached });

const toolResult = object({
  type: choice("tool_result"),
  tool_use_id: text({ pattern: ID }),
  ...cached,
  ...toolset,
  content: optional(
    byType({
      string: text(),
      array: list(
        tagged(
          "type",
          {
            text: textBlock,
            image,
            search_result: searchResult,
            document,
            tool_reference: toolReference,
            browser_state: object({ type: choice("browser_state") }, { open: true }),
          },
          true,
        ),
      ),
    }),
  ),
  is_error: optional(flag),
});

const toolUse = object({
  type: choice("tool_use"),
  id: text({ pattern: ID }),
  // Typed `unknown` in the SDK, and refused by the API unless it is an object (observed).
  input: object({}, { open: true }),
  name: text({ min: 1, max: 200 }),
  ...cached,
  caller,
  ...toolset,
});

const serverResult = (type: string): Shape =>
  object({ type: choice(type), tool_use_id: text(), content: anything, ...cached, caller });

/** Results of tools that Anthropic runs; they come back in assistant messages. */
export const SERVER_RESULTS = [
  "web_search_tool_result",
  "web_fetch_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "tool_search_tool_result",
] as const;

export const contentBlock = lazy(() => CONTENT_BLOCK);
const CONTENT_BLOCK = tagged(
  "type",
  {
    text: textBlock,
    image,
    document,
    search_result: searchResult,
    // No `cache_control` here: documented, "thinking blocks cannot be cached directly".
    thinking: object({ type: choice("thinking"), thinking: text(), signature: text() }),
    redacted_thinking: object({ type: choice("redacted_thinking"), data: text() }),
    tool_use: toolUse,
    tool_result: toolResult,
    server_tool_use: object({
      type: choice("server_tool_use"),
      id: text(),
      input: anything,
      name: text(),
      ...cached,
      caller,
    }),
    ...Object.fromEntries(SERVER_RESULTS.map((type) => [type, serverResult(type)])),
    container_upload: object({ type: choice("container_upload"), file_id: text(), ...cached }),
  },
  true,
);

export const skill = object({
  skill_id: text(),
  type: choice("anthropic", "custom"),
  version: optional(text()),
});

/** Shared by the tools that Anthropic defines. */
export const toolOptions = {
  allowed_callers: optional(list(text())),
  ...cached,
  defer_loading: optional(flag),
  strict: optional(flag),
};
