/** A Gemini command file: TOML with a `prompt`. */
import { parse, TomlError } from "smol-toml";
import type { Field } from "./front-matter.ts";

export type TomlCommand =
  | {
      readonly ok: true;
      readonly fields: ReadonlyMap<string, Field>;
      readonly prompt: string;
      /** On which the prompt begins. */
      readonly line: number;
    }
  | { readonly ok: false; readonly line: number; readonly says: string; readonly fix: string };

export function readTomlCommand(text: string): TomlCommand {
  const parsed = parseToml(text.replace(/^\uFEFF/, ""));
  if ("says" in parsed) return { ok: false, ...parsed, fix: "mend the TOML" };
  const { prompt } = parsed.table;
  const line = lineOfKey(text, "prompt");
  if (typeof prompt !== "string") {
    const says = prompt === undefined ? "there is no `prompt`" : "`prompt` is not text";
    return { ok: false, line, says, fix: 'write prompt = """…"""' };
  }
  const fields = Object.entries(parsed.table).map(([key, value]): [string, Field] => [
    key,
    { value, raw: String(value), line: lineOfKey(text, key) },
  ]);
  return { ok: true, fields: new Map(fields), prompt, line };
}

type Parsed =
  | { readonly table: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly says: string };

function parseToml(text: string): Parsed {
  try {
    return { table: parse(text) };
  } catch (error) {
    // The parser throws its own error with the line, and a range error on nesting without end.
    if (error instanceof TomlError) {
      return { line: error.line, says: `not TOML: ${error.message.split("\n")[0]}` };
    }
    return { line: 1, says: `not TOML: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Where a key of the top table is set, or the first line. */
function lineOfKey(text: string, key: string): number {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.replace(/["']/g, "").trimStart().startsWith(key));
  return Math.max(0, at) + 1;
}
