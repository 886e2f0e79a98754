/**
 * The host's answers about tokens, each asked for once and at most so many times: a text full of
 * `@` words costs a bounded number of questions, and a question that fails leaves the token as
 * text, with a note.
 */
import type { ComposeHost, PathKind } from "../host.ts";
import type { Note } from "../note.ts";

export const MOST_QUESTIONS = 512;

export interface Lookup {
  kindOf(path: string): Promise<PathKind | undefined>;
  /** Another question of the host, by a key that stands for it. */
  ask<T>(key: string, question: () => Promise<T>): Promise<T | undefined>;
  readonly notes: readonly Note[];
}

export function createLookup(host: ComposeHost): Lookup {
  const answers = new Map<string, unknown>();
  const notes: Note[] = [];
  let asked = 0;
  async function ask<T>(key: string, question: () => Promise<T>): Promise<T | undefined> {
    if (answers.has(key)) return answers.get(key) as T | undefined;
    asked += 1;
    if (asked > MOST_QUESTIONS) {
      if (asked === MOST_QUESTIONS + 1) notes.push(TOO_MANY);
      return undefined;
    }
    const answer = await attempt(question, (says) =>
      notes.push({ code: "host-failed", message: says }),
    );
    answers.set(key, answer);
    return answer;
  }
  return {
    ask,
    kindOf: (path) =>
      path.includes("\0")
        ? Promise.resolve(undefined)
        : ask(`path ${path}`, () => host.kindOf(path)),
    notes,
  };
}

const TOO_MANY: Note = {
  code: "too-many-tokens",
  message: `more than ${MOST_QUESTIONS} possible mentions: the rest is left as text`,
};

/** The port may throw; a token that nobody can answer for is text. */
async function attempt<T>(
  question: () => Promise<T>,
  failed: (says: string) => void,
): Promise<T | undefined> {
  try {
    return await question();
  } catch (error) {
    failed(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
