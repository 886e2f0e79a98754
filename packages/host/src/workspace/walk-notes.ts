/**
 * What a walk could not or did not list, kept by kind: how often, why in one sentence, and the
 * first few paths. The count is exact however many there are.
 */

export type WalkNote = {
  readonly kind: WalkNoteKind;
  readonly count: number;
  readonly says: string;
  /** The first few, from the workspace, with the reason where there is one. */
  readonly examples: readonly { readonly path: string; readonly reason?: string }[];
};

const SENTENCES = {
  unreadable: "directories that could not be read",
  unnameable: "names that are not UTF-8, which nothing typed can stand for",
  outside: "symbolic links that lead out of the workspace",
  dangling: "symbolic links that lead nowhere",
  special: "pipes, sockets and devices, which are not files to mention",
  "rules-not-applied": "ignore files whose rules were not applied",
  "rules-unknown": "directories left out because their .agentsignore could not be read",
  cut: "directories not looked into, because the limit of entries was reached",
} as const;

export type WalkNoteKind = keyof typeof SENTENCES;

const MOST_EXAMPLES = 5;

export interface WalkNotes {
  add(kind: WalkNoteKind, path: string, reason?: string): void;
  all(): readonly WalkNote[];
}

export function createWalkNotes(): WalkNotes {
  const found = new Map<
    WalkNoteKind,
    { count: number; examples: WalkNote["examples"][number][] }
  >();
  return {
    add(kind, path, reason) {
      const entry = found.get(kind) ?? { count: 0, examples: [] };
      entry.count += 1;
      if (entry.examples.length < MOST_EXAMPLES) {
        entry.examples.push(reason === undefined ? { path } : { path, reason });
      }
      found.set(kind, entry);
    },
    all: () => [...found].map(([kind, entry]) => ({ kind, says: SENTENCES[kind], ...entry })),
  };
}
