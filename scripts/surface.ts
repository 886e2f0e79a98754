/**
 * The public surface of a package: the names its index exports, read off the text, because types
 * leave no trace at run time. An index only exports, by name; anything else in it is refused.
 */
import { withoutComments } from "./source-text.ts";

const LIST = /export\s+(type\s+)?\{([^}]*)\}/g;
const DECLARED =
  /export\s+(?:declare\s+|async\s+|abstract\s+)*(const|let|var|function\*?|class|type|interface)\s+([\w$]+)/g;

function namesInList(list: string, allTypes: boolean): string[] {
  return list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item) => {
      const isType = allTypes || item.startsWith("type ");
      const name = item.replace(/^type\s+/, "").replace(/^.*\sas\s+/s, "");
      return isType ? `type ${name}` : name;
    });
}

/** The exported names in alphabetical order, types marked as such. */
export function surfaceOf(source: string): string[] {
  const text = withoutComments(source);
  if (/export\s*\*/.test(text)) throw new Error("an index names what it exports: no `export *`");
  if (/export\s+default\b/.test(text)) throw new Error("an index has no default export");
  const listed = [...text.matchAll(LIST)].flatMap(([, type, list = ""]) =>
    namesInList(list, type !== undefined),
  );
  const declared = [...text.matchAll(DECLARED)].map(([, kind = "", name = ""]) =>
    kind === "type" || kind === "interface" ? `type ${name}` : name,
  );
  const bare = (name: string): string => name.replace(/^type /, "");
  return [...listed, ...declared].sort((a, b) => (bare(a) < bare(b) ? -1 : 1));
}
