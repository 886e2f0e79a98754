/**
 * The configuration file, as people write it: its keys, their shapes, nothing about where it lies.
 *
 * Objects drop what they do not know; `read-config.ts` finds what was dropped and warns about it.
 */
import { z } from "zod";

/** Checked here, because what refuses a wrong header further down quotes it, key and all. */
const Headers = z.record(
  z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "the name of a header"),
  z.string().regex(/^[\t\x20-\x7e]*$/, "printable ASCII, which is all that a header may carry"),
);

/** Addresses are joined with a path, and an error may print them: neither bears a key inside. */
export const BaseUrl = z
  .url({ protocol: /^https?$/, error: "an http(s) address such as https://api.example.com" })
  .refine((text) => {
    // Told by the check above.
    if (!URL.canParse(text)) return true;
    const { username, password, search, hash } = new URL(text);
    return `${username}${password}${search}${hash}` === "";
  }, "an address without user, query or fragment; keys belong in the variable that api_key_env names");

const Provider = z.object({
  base_url: BaseUrl.optional(),
  /** The variable that holds the key; empty means that the provider takes none. */
  api_key_env: z
    .string()
    .regex(/^([A-Za-z_][A-Za-z0-9_]*)?$/, "the name of a variable, not a key")
    .optional(),
  headers: Headers.optional(),
});
export type ProviderConfig = z.infer<typeof Provider>;

const Model = z.object({
  context_window: z.int().min(1).optional(),
  max_output: z.int().min(1).optional(),
  accepts: z.array(z.string()).optional(),
  protocol: z
    .enum(["anthropic-messages", "openai-responses", "openai-chat", "gemini-generate"])
    .optional(),
});

const Command = z.object({
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});

/** Of both kinds of MCP servers. */
const McpCommon = {
  enabled: z.boolean().optional(),
  /** Of its start and of each request. */
  timeout_ms: z.int().min(1).max(600_000).optional(),
};

const McpServer = z.union([
  Command.extend(McpCommon),
  z.object({
    url: z.url({ protocol: /^https?$/, error: "an http(s) address" }),
    headers: Headers.optional(),
    ...McpCommon,
  }),
]);
export type McpServerConfig = z.infer<typeof McpServer>;

const AiSdk = z.object({
  /** A package, never a path: it is looked up from the workspace. */
  package: z
    .string()
    .regex(/^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/, "the name of an npm package"),
  /** The function of the package that makes a provider. */
  export: z.string().min(1),
  options: z.record(z.string(), z.json()).optional(),
});
export type AiSdkConfig = z.infer<typeof AiSdk>;

const Bytes = z.int().min(1);

/** Whose rule it is follows from whose file it stands in. */
const Permission = z.object({
  /** The name of a tool, or `*`. */
  permission: z.string().min(1),
  /** Over what the call is about: a path, a command line, a host. */
  pattern: z.string().min(1).default("*"),
  action: z.enum(["allow", "ask", "deny"]),
});

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What commands get beside the workspace. */
const SandboxTable = z.object({
  /** Folders that a command may read, such as those of a toolchain. */
  read: z.array(z.string().regex(/^\//, "an absolute path")).optional(),
  /** Variables that are handed on to it. */
  env: z.array(z.string().regex(VARIABLE, "the name of a variable")).optional(),
  network: z.boolean().optional(),
  memory_mb: z.int().min(64).optional(),
  processes: z.int().min(8).optional(),
});
export type SandboxConfig = z.infer<typeof SandboxTable>;

const Pointer = z.string().regex(/^(\/.*)?$/, "a JSON pointer, such as /results");

/** A search engine that answers a GET with JSON. */
const WebSearch = z.object({
  url: z
    .url({ protocol: /^https?$/, error: "an http(s) address" })
    .refine((text) => text.includes("{query}"), "an address with {query} in it"),
  api_key_env: z.string().regex(VARIABLE, "the name of a variable, not a key").optional(),
  /** The header that bears the key; `Authorization: Bearer …` unless said. */
  api_key_header: z
    .string()
    .regex(/^[\w-]+$/, "the name of a header")
    .optional(),
  /** Where the list of results is in the answer, and what each of them holds. */
  results: Pointer.optional(),
  title: Pointer.optional(),
  link: Pointer.optional(),
  snippet: Pointer.optional(),
});
export type WebSearchConfig = z.infer<typeof WebSearch>;

export const Config = z.object({
  model: z.string().min(1).optional(),
  providers: z.record(z.string(), Provider).optional(),
  models: z.record(z.string(), Model).optional(),
  ai_sdk: z.record(z.string(), AiSdk).optional(),
  acp: z.object({ agents: z.record(z.string(), Command).optional() }).optional(),
  mcp: z.object({ servers: z.record(z.string(), McpServer).optional() }).optional(),
  limits: z
    .object({
      /** Of one attached file. */
      attachment_bytes: Bytes.optional(),
      /** Of one message, from a file, standard input or a request. */
      message_bytes: Bytes.optional(),
    })
    .optional(),
  permissions: z.array(Permission).optional(),
  sandbox: SandboxTable.optional(),
  web: z.object({ search: WebSearch.optional() }).optional(),
  /** Folders whose own configuration may name addresses that get a key, and code to run. */
  trusted_projects: z.array(z.string()).optional(),
});
export type Config = z.infer<typeof Config>;

const MB = 1024 * 1024;
export const DEFAULT_LIMITS = { attachment_bytes: 32 * MB, message_bytes: 48 * MB } as const;
