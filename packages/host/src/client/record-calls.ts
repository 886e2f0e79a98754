/** Calls about what is kept (manifests, requests, exports, bytes) and about what would be sent. */
import type { SessionId, UserMessage } from "@galley/parts";
import type { CommandList, ComposedMessage } from "../compositor/compositor.ts";
import type { FoundMentions } from "../compositor/mention-search.ts";
import type { ModelRow } from "../http/answers.ts";
import type { Proof, Stage } from "../pipeline/pipeline.ts";
import type { ImportAnswer, ManifestAnswer, RequestAnswer, Words } from "./answers.ts";
import type { Call } from "./call.ts";
import { joined, linesOf, piecesOf } from "./pieces.ts";
import { pathOf } from "./session-calls.ts";

export const recordCalls = (call: Call) => ({
  /** Of every send, or of every round of one turn. */
  async manifests(session: SessionId, turn?: number): Promise<readonly ManifestAnswer[]> {
    const path = pathOf(session, turn === undefined ? "/manifests" : `/manifests/${turn}`);
    return (await call.json<{ manifests: ManifestAnswer[] }>("GET", path)).manifests;
  },
  /** What was sent in a turn, a round each. */
  async requests(session: SessionId, turn: number): Promise<readonly RequestAnswer[]> {
    const path = pathOf(session, `/requests/${turn}`);
    return (await call.json<{ requests: RequestAnswer[] }>("GET", path)).requests;
  },
  /** JSONL, a line at a time, each with its line end. */
  async *export(
    session: SessionId,
    options: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<string, void, undefined> {
    const query = { format: "jsonl" };
    const { signal } = options;
    yield* linesOf(await call.open("GET", pathOf(session, "/export"), { query, signal }), signal);
  },
  /** Takes an export back: all of it or nothing. */
  import: (jsonl: Uint8Array | string) =>
    call.json<ImportAnswer>("POST", "/v1/import", {
      bytes: { data: jsonl, type: "application/jsonl" },
    }),
});

export const blobCalls = (call: Call) => ({
  put: (bytes: Uint8Array) =>
    call.json<{ content_id: string; size: number }>("POST", "/v1/blobs", {
      bytes: { data: bytes, type: "application/octet-stream" },
    }),
  async get(content_id: string): Promise<Uint8Array> {
    return joined(piecesOf(await call.open("GET", `/v1/blobs/${encodeURIComponent(content_id)}`)));
  },
});

export type ProofAsked = { readonly model?: string; readonly stage?: Stage };

/** What a surface's composer and inspector ask; nothing is stored and nothing is sent. */
export const pipelineCalls = (call: Call) => ({
  compose: (words: Words) => call.json<UserMessage>("POST", "/v1/compose", { body: words }),
  /** With its notes and host actions. */
  explain: (words: Words) =>
    call.json<ComposedMessage>("POST", "/v1/compose", { query: { explain: true }, body: words }),
  proof: (message: UserMessage, asked: ProofAsked = {}) =>
    call.json<Omit<Proof, "stages">>("POST", "/v1/proof", { body: { message, ...asked } }),
  async models(): Promise<readonly ModelRow[]> {
    return (await call.json<{ models: ModelRow[] }>("GET", "/v1/models")).models;
  },
  commands: (q?: string) => call.json<CommandList>("GET", "/v1/commands", { query: { q } }),
  mentions: (q: string, limit?: number) =>
    call.json<FoundMentions>("GET", "/v1/mentions", { query: { q, limit } }),
});
