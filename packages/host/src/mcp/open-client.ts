/**
 * One connection to one server, over the official client. What is asked and answered goes through
 * it as it came: nothing of an answer is checked against a schema that the server wrote.
 */
import process from "node:process";
import type { Client, Transport } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Env } from "../config/settings.ts";
import { type Failure, failureOf, type Sdk } from "./ask-failure.ts";
import { type Asked, notAsked } from "./asked.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { Offers } from "./listing.ts";
import { type McpServer, withoutSecrets } from "./server-config.ts";
import { type ProcessTransport, serverProcess } from "./server-process.ts";

export interface McpClient {
  readonly offers: Offers;
  ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<Asked>;
  /** Ends the process too. */
  close(): Promise<void>;
}

export type ClientEvents = {
  /** Once, when the connection ends without being closed. */
  gone(reason: string): void;
  /** It has other tools or prompts than it listed. */
  changed(): void;
};

export type ClientInput = {
  /** Where a server of ours runs. */
  readonly cwd: string;
  readonly env: Env;
  readonly fetch: typeof fetch;
};

export type OpenedClient =
  | { readonly ok: true; readonly client: McpClient }
  | { readonly ok: false; readonly reason: string };

export async function openClient(
  server: McpServer,
  input: ClientInput,
  events: ClientEvents,
  signal: AbortSignal,
): Promise<OpenedClient> {
  // Imported here: a host without servers starts without it.
  const sdk = await import("@modelcontextprotocol/client");
  const transport = transportTo(server, input, sdk);
  const client = new sdk.Client({ name: "galley", version: "0.1.0" }, { capabilities: {} });
  const ending = (): string => endingOf(transport);
  let isClosing = false;
  client.onclose = () => {
    if (!isClosing) events.gone(ending() || "it closed the connection");
  };
  for (const kind of ["tools", "prompts"] as const) {
    client.setNotificationHandler(`notifications/${kind}/list_changed`, () => events.changed());
  }
  const close = async (): Promise<void> => {
    isClosing = true;
    await client.close();
    // The client forgets a transport that closed under it, and its process may still run.
    await transport.close();
  };
  try {
    await client.connect(transport, { timeout: server.timeoutMs, signal });
  } catch (error) {
    // Before it is ended: that we ended it is not why.
    const failure = failureOf(error, server.timeoutMs, server, sdk);
    const reason = startProblem(failure, endingOf(transport));
    isClosing = true;
    await ("end" in transport ? transport.end() : transport.close());
    return { ok: false, reason };
  }
  return { ok: true, client: clientOver(client, { server, ending, close }, sdk) };
}

type Around = {
  readonly server: McpServer;
  ending(): string;
  close(): Promise<void>;
};

function clientOver(client: Client, { server, ending, close }: Around, sdk: Sdk): McpClient {
  const { tools, prompts } = client.getServerCapabilities() ?? {};
  return {
    offers: { tools: tools !== undefined, prompts: prompts !== undefined },
    async ask(method, params, timeout, signal) {
      const options = { timeout, ...(signal && { signal }) };
      try {
        const value = await client.request({ method, params: { ...params } }, ANSWER, options);
        return { ok: true, value };
      } catch (error) {
        if (signal?.aborted) return notAsked("stopped", "it was stopped");
        const { code, reason } = failureOf(error, timeout, server, sdk);
        return notAsked(code, (code === "gone" && ending()) || reason);
      }
    },
    close,
  };
}

/** Whatever a server answers is kept as it came; what it means is for whoever asked. */
const ANSWER = z.looseObject({});

function transportTo(
  server: McpServer,
  { cwd, env, fetch }: ClientInput,
  sdk: Sdk,
): Transport | ProcessTransport {
  const { reached } = server;
  if (reached.by === "command") {
    const { command, args } = reached;
    const whole = { ...inheritedFrom(env), ...reached.env };
    const hide = (text: string): string => withoutSecrets(text, server);
    return serverProcess({ command, args, env: whole, cwd, hide, read: sdk.deserializeMessage });
  }
  const { url, headers } = reached;
  return new sdk.StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: boundedFetch(fetch),
  }) as Transport;
}

/** What a program needs to run at all. Keys of providers are among the rest, and stay here. */
const INHERITED = ["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER"];
const INHERITED_ON_WINDOWS = [
  "APPDATA",
  "COMSPEC",
  "LOCALAPPDATA",
  "PATHEXT",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "USERNAME",
  "USERPROFILE",
];

function inheritedFrom(env: Env): Record<string, string> {
  const names = process.platform === "win32" ? [...INHERITED, ...INHERITED_ON_WINDOWS] : INHERITED;
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}

const endingOf = (transport: Transport | ProcessTransport): string =>
  "ending" in transport ? transport.ending() : "";

function startProblem({ code, reason }: Failure, ending: string): string {
  if (code === "gone") return ending || reason;
  return [reason, ending].filter((clause) => clause !== "").join("; ");
}
