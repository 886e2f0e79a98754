/** Rules, citations and known failures held against each other. It reads no files. */
import type { KnownFailure } from "./known-failures.ts";
import type { Requirement } from "./requirements.ts";

export type GateInput = {
  readonly requirements: Readonly<Record<string, Requirement>>;
  /** Ids that a test or a case cites, with the place. */
  readonly citations: readonly { readonly id: string; readonly place: string }[];
  readonly known: Readonly<Record<string, KnownFailure | undefined>>;
};

export function gateFaults({ requirements, citations, known }: GateInput): string[] {
  const cited = new Set(citations.map(({ id }) => id));
  const unknown = citations
    .filter(({ id }) => !Object.hasOwn(requirements, id))
    .map(({ id, place }) => `${place} cites ${id}, which is no requirement`);
  const uncited = Object.entries(requirements)
    .filter(([id, { level }]) => level === "MUST" && !cited.has(id) && known[id] === undefined)
    .map(([id]) => `${id} is a MUST that no test cites`);
  const stale = Object.entries(known).flatMap(([id, row]) => {
    if (!row) return [];
    if (!Object.hasOwn(requirements, id)) return [`known failure ${id} is no requirement`];
    if (row.since === "later" && cited.has(id)) {
      return [`known failure ${id} is stale: a test cites it`];
    }
    if (row.since === "fails" && !cited.has(id)) {
      return [`known failure ${id} has no test that shows it`];
    }
    return [];
  });
  return [...unknown, ...uncited, ...stale];
}

const CITATION = /\bverifies\(\s*["']([^"']+)["']/g;

/** The ids that a source file cites. */
export const citedIn = (source: string): string[] =>
  [...source.matchAll(CITATION)].map(([, id = ""]) => id);
