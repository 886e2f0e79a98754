/**
 * What may stand behind an `@`, besides a path: kinds with a value (`@skill:NAME`) and tokens for
 * what the editor shows (`@selection`). A host, an agent or a skill extends the list; a kind that
 * is not in it is no mention.
 */
export type MentionKind = {
  readonly kind: string;
  readonly description: string;
  /** A path of the workspace, a directory of it, an address, or something only the host knows. */
  readonly stands: "file" | "directory" | "url" | "host";
};

export type ContextToken = { readonly token: string; readonly description: string };

export type MentionCatalogue = {
  readonly kinds: readonly MentionKind[];
  readonly contexts: readonly ContextToken[];
};

export const DEFAULT_MENTIONS: MentionCatalogue = {
  kinds: [
    { kind: "file", description: "a file of the workspace", stands: "file" },
    { kind: "dir", description: "a folder of the workspace", stands: "directory" },
    { kind: "directory", description: "a folder of the workspace", stands: "directory" },
    { kind: "url", description: "an address on the web", stands: "url" },
    { kind: "skill", description: "a skill to use", stands: "host" },
    { kind: "symbol", description: "a symbol that the editor knows", stands: "host" },
    { kind: "node", description: "a node of the open document", stands: "host" },
  ],
  contexts: [
    { token: "selection", description: "what is selected" },
    { token: "open", description: "the open documents" },
    { token: "cursor", description: "where the cursor stands" },
    { token: "last", description: "the last action" },
    { token: "history", description: "the recent actions" },
  ],
};

/** A later row with the same kind or token replaces an earlier one. */
export function extendMentions(
  base: MentionCatalogue,
  more: Partial<MentionCatalogue>,
): MentionCatalogue {
  const kinds = new Map([...base.kinds, ...(more.kinds ?? [])].map((row) => [row.kind, row]));
  const contexts = new Map(
    [...base.contexts, ...(more.contexts ?? [])].map((row) => [row.token, row]),
  );
  return { kinds: [...kinds.values()], contexts: [...contexts.values()] };
}
