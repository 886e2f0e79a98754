/**
 * Why a server gave no answer, from what the official client throws. Words of a server may repeat
 * what it was sent, so its secrets are taken out before anything is cut.
 */
import { wordsOf } from "../attachments/tried.ts";
import { type McpServer, withoutSecrets } from "./server-config.ts";

export type Sdk = typeof import("@modelcontextprotocol/client");

export type Failure = { readonly code: "timeout" | "gone" | "refused"; readonly reason: string };

/** Anything that is not the server's own word, or its silence, is the end of the connection. */
export function failureOf(error: unknown, timeoutMs: number, server: McpServer, sdk: Sdk): Failure {
  if (error instanceof sdk.ProtocolError) {
    return { code: "refused", reason: `${said(error, server)} (${error.code})` };
  }
  if (error instanceof sdk.SdkError) {
    if (error.code === sdk.SdkErrorCode.RequestTimeout) {
      return { code: "timeout", reason: `it did not answer in ${timeoutMs / 1000} seconds` };
    }
    if (error.code === sdk.SdkErrorCode.InvalidResult) {
      return { code: "refused", reason: "its answer is none" };
    }
  }
  const status = error instanceof sdk.SdkHttpError ? error.status : undefined;
  if (status === 401 || status === 403 || error instanceof sdk.UnauthorizedError) {
    return { code: "gone", reason: `it wants a login (${status ?? 401}): ${LOGIN}` };
  }
  const words = causeOf(error, server);
  return { code: "gone", reason: status === undefined ? words : `${words} (${status})` };
}

const LOGIN = "give it an Authorization header in the headers of its table";

/** `fetch failed` says nothing; what is behind it does. */
function causeOf(error: unknown, server: McpServer): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const words = said(error, server);
  return cause instanceof Error && cause.message !== ""
    ? `${words}: ${said(cause, server)}`
    : words;
}

const said = (error: unknown, server: McpServer): string =>
  wordsOf(withoutSecrets(error instanceof Error ? error.message : String(error), server));
