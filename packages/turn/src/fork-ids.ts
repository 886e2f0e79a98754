/**
 * The ids inside copied JSON: a reference to a message that was copied too becomes a reference to its
 * copy. The rest of the text keeps its bytes.
 *
 * Only what a key names as an id is one. Words that people, models and tools said are never changed,
 * even where they spell an id.
 */

/** Keys whose values are ids, beside those that end in `_id` or `_ids`. */
const NAMED = new Set(["id", "in_reply_to", "edited_from"]);

/** What stands under these was said by somebody. */
const SAID = new Set(["text", "input", "output", "payload", "args", "errorText"]);

const isIdKey = (key: string): boolean => NAMED.has(key) || /_ids?$/.test(key);

/** Where the scan is: in an object each value has its key, in a list all have the list's. */
type Frame = { readonly isObject: boolean; key: string; said: boolean };

export function rewriteIds(json: string, ids: ReadonlyMap<string, string>): string {
  // Few parts hold a reference: a look at the text saves the walk.
  if (!/"(?:msg|prt)_/.test(json)) return json;
  const kept: string[] = [];
  const open: Frame[] = [{ isObject: false, key: "", said: false }];
  let from = 0;
  let at = 0;
  while (at < json.length) {
    const here = json[at];
    const frame = open.at(-1);
    if (here === "{" || here === "[") {
      const said = frame !== undefined && (frame.said || SAID.has(frame.key));
      open.push({ isObject: here === "{", key: here === "{" ? "" : (frame?.key ?? ""), said });
    } else if (here === "}" || here === "]") open.pop();
    if (here !== '"' || frame === undefined) {
      at += 1;
      continue;
    }
    const end = endOfString(json, at);
    if (frame.isObject && isKey(json, end)) frame.key = String(JSON.parse(json.slice(at, end)));
    else if (!frame.said && isIdKey(frame.key)) {
      const copy = ids.get(json.slice(at + 1, end - 1));
      if (copy !== undefined) {
        kept.push(json.slice(from, at), JSON.stringify(copy));
        from = end;
      }
    }
    at = end;
  }
  return kept.length === 0 ? json : `${kept.join("")}${json.slice(from)}`;
}

/** Past the closing quote: the first one before which stands an even number of backslashes. */
function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); ; at = text.indexOf('"', at + 1)) {
    if (at < 0) return text.length;
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

const isKey = (text: string, end: number): boolean =>
  /^[ \t\r\n]*:/.test(text.slice(end, end + 64));
