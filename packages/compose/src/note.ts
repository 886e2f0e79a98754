/** What a person may want to know about a message that was composed all the same. */
export const NOTE_CODES = [
  /** `/name` is in no catalogue: it goes to the model as it was typed. */
  "unknown-command",
  /** A token of a known kind that stands for nothing here: it stays text. */
  "unresolved-mention",
  /** The template has no slot for what followed the command. */
  "unused-arguments",
  /** An include of a template is not there: it stays text. */
  "include-not-found",
  /** A shell command of a template was refused or failed; a placeholder says so. */
  "shell-not-run",
  /** A host action that nobody ran, because this host only looks. */
  "action-not-run",
  /** Content of a prompt that has no part of its own; a placeholder says so. */
  "unsupported-content",
  /** Half a surrogate pair in a paste became U+FFFD when it was encoded. */
  "mended-text",
  /** So many tokens that the rest was left as text. */
  "too-many-tokens",
  /** The host failed to answer; the token stays text. */
  "host-failed",
] as const;

export type NoteCode = (typeof NOTE_CODES)[number];

export type Note = {
  readonly code: NoteCode;
  readonly message: string;
  /** Index of the part of the message that it is about. */
  readonly part?: number;
};
