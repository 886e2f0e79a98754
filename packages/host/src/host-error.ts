/**
 * The host's own refusals, one sentence each. Every sentence is one line and says what to do; the
 * data is what a surface may act on. Names from outside go through `plainName` where it is made.
 */
import { defineErrors } from "@galley/parts";
import { plainName } from "@galley/shape";

const list = (names: readonly string[]): string => names.map(plainName).join(", ");

const tomlKey = (name: string): string =>
  /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(plainName(name));

export const HostError = defineErrors("host", {
  /** Of a file that had to be read: a configuration, an input, an attachment. */
  unreadable: (data: { what: string; path: string; reason: string; mend?: string }) =>
    `cannot read the ${data.what} ${plainName(data.path)}: ${data.reason}${data.mend ? `; ${data.mend}` : ""}`,
  too_large: (data: { what: string; size?: number; limit: number; key: string }) =>
    `${plainName(data.what)} is ${data.size === undefined ? "larger" : `${data.size} bytes, more`} than the ${data.limit} bytes that ${data.key} in the configuration allows`,
  bad_config: (data: { file: string; line?: number; reason: string }) =>
    `${place(data.file, data.line)}: ${data.reason}`,
  bad_input: (data: { name: string; reason: string }) =>
    `${plainName(data.name)} is not a message: ${plainName(data.reason)}`,
  bad_editor_context: (data: { reason: string }) =>
    `the editor context is not one: ${plainName(data.reason)}; give {"kind": "…", "payload": {…}}`,
  empty_message: (_data: object) =>
    "there is nothing in the message: give a text, a --ref or an --attach",
  bad_message: (data: { issues: readonly string[] }) => `not a user message: ${some(data.issues)}`,
  too_deep: (data: { limit: number }) =>
    `not a user message: its JSON is nested more than ${data.limit} levels deep`,
  unknown_model: (data: { model: string; nearest: readonly string[]; config_line: string }) =>
    `the model ${plainName(data.model)} is not known; near to it: ${list(data.nearest)}; to make it known, put at the top of .agents/galley.toml: ${data.config_line}`,
  bad_model: (data: { model: string; reason: string }) =>
    `the configuration does not make ${plainName(data.model)} usable: ${plainName(data.reason)}`,
  unknown_provider: (data: {
    model: string;
    provider: string;
    known: readonly string[];
    nearest: readonly string[];
    config_line: string;
  }) =>
    `the provider ${plainName(data.provider)} is not known (known: ${list(data.known)}); near to ${plainName(data.model)}: ${list(data.nearest)}; for a provider of your own, put at the top of .agents/galley.toml: providers.${tomlKey(data.provider)}.base_url = "https://…" and ${data.config_line}`,
  no_models: (data: { provider: string; known: readonly string[] }) =>
    `there are no models of ${plainName(data.provider)}: the providers are ${list(data.known)}`,
  not_yet: (data: { what: string; instead?: string }) =>
    `${plainName(data.what)} is not available yet${data.instead ? `: ${data.instead}` : ""}`,
  no_base_url: (data: { provider: string }) =>
    `the provider ${plainName(data.provider)} has no address: set base_url in [providers.${plainName(data.provider)}]`,
  no_key: (data: { provider: string; variable: string }) =>
    `${plainName(data.provider)} needs a key: set ${plainName(data.variable)}, or try the offline model with --model rehearsal/default`,
  bad_key: (data: { variable: string }) =>
    `the value of ${plainName(data.variable)} is not a key: it holds characters that no header may carry`,
  untrusted: (data: { file: string; wants: string; mend: string }) =>
    `${plainName(data.file)} came with the project and wants ${data.wants}: ${data.mend}`,
  over_limit: (data: {
    model: string;
    estimate: number;
    limit: number;
    window: number;
    says: string;
  }) => `not sent to ${plainName(data.model)} (window ${data.window}): ${data.says}`,
  over_bytes: (data: { model: string; bytes: number; limit: number }) =>
    `a request of ${data.bytes} bytes is over the ${data.limit} that ${plainName(data.model)} takes: send fewer or smaller attachments`,
  db_taken: (data: { path: string; pid?: number; url?: string }) =>
    `${plainName(data.path)} belongs to a host that runs${whichHost(data)}: use it through that host, or end it first`,
  superseded: (_data: object) =>
    "another host has taken this database meanwhile: this one begins nothing any more; use that one, and end this one",
  /** The database cannot be made the host's own. */
  no_lock: (data: { path: string; reason: string }) =>
    `cannot take ${plainName(data.path)}, which keeps other hosts off the database: ${data.reason}`,
  bad_workspace: (data: { path: string; reason: string }) =>
    `${plainName(data.path)} cannot be the workspace of a session here: ${data.reason}; a host that is started with --workspace for it takes the session`,
  stands_alone: (data: { command: string }) =>
    `${plainName(data.command)} ends this conversation, so nothing can be said beside it: send it alone`,
  bad_argument: (data: { command: string; reason: string }) =>
    `${plainName(data.command)}: ${plainName(data.reason)}`,
  ai_sdk: (data: { name: string; reason: string }) =>
    `ai-sdk/${plainName(data.name)}: ${plainName(data.reason)}`,
});

const whichHost = ({ pid, url }: { pid?: number; url?: string }): string =>
  [pid === undefined ? "" : ` (process ${pid})`, url === undefined ? "" : ` at ${url}`].join("");

export const place = (file: string, line: number | undefined): string =>
  line === undefined ? plainName(file) : `${plainName(file)}:${line}`;

const MOST_ISSUES = 3;

function some(issues: readonly string[]): string {
  const said = issues.slice(0, MOST_ISSUES).map(plainName).join("; ");
  const more = issues.length - MOST_ISSUES;
  return more > 0 ? `${said}; and ${more} more` : said;
}
