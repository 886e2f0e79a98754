/** `galley context`: what the model was given with the last request, and what each piece costs. */
import type { Manifest, ManifestBlock } from "@galley/assemble";
import type { SessionId } from "@galley/parts";
import { plainName } from "@galley/shape";
import type { ManifestAnswer } from "../client/answers.ts";
import type { Client } from "../client/create-client.ts";
import { CliError } from "./cli-error.ts";
import { type Io, json } from "./io.ts";
import type { CommonFlags } from "./open-pipeline.ts";
import { table } from "./table.ts";
import { LOOKS_ONLY, withHost } from "./with-host.ts";

export function showContext(
  session: SessionId | undefined,
  flags: CommonFlags & { readonly json?: boolean },
  io: Io,
): Promise<number> {
  return withHost(
    flags,
    io,
    async ({ client }) => {
      const id = session ?? (await lastUsed(client));
      const last = (await client.manifests(id)).at(-1);
      if (last === undefined) throw CliError.make("nothing_sent", { session: id });
      await io.out(flags.json ? json(last) : tableOf(last));
      return 0;
    },
    LOOKS_ONLY,
  );
}

async function lastUsed(client: Client): Promise<SessionId> {
  const [session] = (await client.sessions.list({ limit: 1 })).sessions;
  if (session === undefined) throw CliError.make("nothing_sent", {});
  return session.id;
}

function tableOf({ turn, round, manifest }: ManifestAnswer): string {
  const { estimate, limit, over_limit, floor, changed } = manifest;
  const share = `${Math.round((100 * estimate) / limit)} % of ${limit}`;
  const over = over_limit ? ", which is too much" : "";
  const least = floor === undefined ? "" : `; ${floor} of them cannot be left out`;
  const since = changed ? `since the request before: ${plainName(changed.why)}\n` : "";
  const head = `turn ${turn}, round ${round}: about ${estimate} tokens, ${share}${over}${least}\n`;
  return `${head}${since}\n${table(["tokens", "kind", "what"], rowsOf(manifest))}`;
}

function rowsOf({ layers, tools, blocks, settlements, ...rest }: Manifest): string[][] {
  const { pins = [], filters = [], failures = [] } = rest;
  const row = (tokens: number | "", kind: string, what: string) => [
    String(tokens),
    kind,
    plainName(what),
  ];
  return [
    ...layers.map(({ id, tokens }) => row(tokens, "layer", id)),
    ...tools.map(({ name, tokens }) => row(tokens, "tool", name)),
    ...blocks.map((block) => row(block.tokens, block.role, blockText(block))),
    ...pins.map(({ id, tokens, failed }) =>
      row(tokens, "pin", failed === undefined ? id : `${id}: ${failed}`),
    ),
    ...filters.map(({ why, message_id = "" }) => row("", "filter", `${why} ${message_id}`)),
    ...failures.map(({ why, pin, block }) =>
      row("", "failed", `${why} (${pin ?? `block ${block}`})`),
    ),
    ...settlements.map(({ why, message_id = "" }) => row("", "settled", `${why} ${message_id}`)),
  ];
}

function blockText({ type, message_id = "", part, outcome }: ManifestBlock): string {
  const became = outcome === undefined ? "" : `, ${outcome}`;
  return `${type} (${message_id} part ${part}${became})`;
}
