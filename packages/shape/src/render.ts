/**
 * The few places where structure has to become text: fenced files, descriptors, placeholders and
 * the editor-context marker. Text from outside is data here: it can close neither a fence nor a
 * marker, and a name cannot draw outside its line.
 */
import type { EntityContext, Material } from "@galley/assemble";
import { canonicalJson, type FileRef, type PartOf } from "@galley/parts";

/** A fence longer than any run of backticks inside. */
export function fence(text: string, language = ""): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const ticks = "`".repeat(Math.max(3, longest + 1));
  const end = text.endsWith("\n") || text === "" ? "" : "\n";
  return `${ticks}${language}\n${text}${end}${ticks}`;
}

export function fileText(name: string, material: Extract<Material, { kind: "text" }>): string {
  const notes = [shownText(material.shown), material.note].filter(Boolean).join("; ");
  const label = `File ${plainName(name)}${notes ? ` (${notes})` : ""}:`;
  return `${label}\n${fence(material.text, languageOf(name))}`;
}

function shownText(shown: Extract<Material, { kind: "text" }>["shown"]): string {
  if (!shown) return "";
  const of = shown.total === undefined ? "" : ` of ${shown.total}`;
  return shown.unit === "byte"
    ? `bytes ${shown.start} to ${shown.end}${of}, end not included`
    : `lines ${shown.start} to ${shown.end}${of}`;
}

export type Described = {
  readonly what: string;
  readonly name: string;
  readonly mime?: string | undefined;
  readonly size?: number | undefined;
  readonly reason?: string | undefined;
  readonly reach?: string | undefined;
};

/** `[attachment: design.psd, image/vnd.adobe.photoshop, 12000000 bytes; not shown: …; …]` */
export function descriptorText({ what, name, mime, size, reason, reach }: Described): string {
  const bytes = size === undefined ? undefined : `${size} bytes`;
  const facts = [plainName(name), mime === undefined ? undefined : plainName(mime), bytes];
  const clauses = [
    `${what}: ${facts.filter((fact) => fact !== undefined).join(", ")}`,
    ...(reason ? [`content not shown: ${plainName(reason)}`] : []),
    ...(reach ? [plainName(reach)] : []),
  ];
  return `[${clauses.join("; ")}]`;
}

/** Default marker of the compositor: stable, escaped, keys in order, absent `source` left out. */
export function editorContextText(context: EntityContext | PartOf<"editor-context">): string {
  const attributes = [
    `kind="${attribute(context.kind)}"`,
    ...(context.source === undefined ? [] : [`source="${attribute(context.source)}"`]),
  ];
  return `<editor_context ${attributes.join(" ")}>${inert(canonicalJson(context.payload))}</editor_context>`;
}

/** JSON in which no text can open or close a marker; it is still the same JSON value. */
export function inert(json: string): string {
  return json.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

function attribute(text: string): string {
  return plainName(text).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Control, bidi and line-breaking characters, which could draw a name across its line. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A name from outside on one line, with what cannot be printed spelled out. */
export function plainName(name: string): string {
  return name.replace(
    UNPRINTABLE,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function nameOfRef(ref: FileRef): string {
  switch (ref.kind) {
    case "path":
      return ref.path;
    case "url":
      return ref.url;
    case "content-id":
      return ref.content_id;
  }
}

/** The fence's hint: the extension, when it looks like one. */
function languageOf(name: string): string {
  return /\.([A-Za-z0-9]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? "";
}
