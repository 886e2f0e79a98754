/**
 * Which descriptions and examples belong in this prompt. Each artifact of the two kinds ends up
 * chosen or passed over with a reason; what does not fit is a refusal with a way out, never a cut.
 */
import type { ArtifactRef, PassedOver } from "./composition.ts";
import { holds, type Subject } from "./expression/evaluate.ts";
import { parseExpression } from "./expression/parse.ts";
import { type ArtifactOf, artifactsOf, type SkillArtifact, type SkillPackage } from "./package.ts";
import type { ComposeSkillRequest } from "./request.ts";
import type { SizedArtifact } from "./skill-error.ts";

export type Selection = {
  readonly descriptions: readonly ArtifactOf<"Description">[];
  /** The most relevant first. */
  readonly examples: readonly ArtifactOf<"Example">[];
  readonly passedOver: readonly PassedOver[];
};

export const refOf = ({ id, version, kind, digest }: SkillArtifact): ArtifactRef => ({
  id,
  version,
  kind,
  ...(digest !== undefined && { digest }),
});

/** A condition that does not parse never comes here: the package is refused before. */
export function applies(condition: string | undefined, subject: Subject): boolean {
  if (condition === undefined) return true;
  const parsed = parseExpression(condition);
  return parsed.ok && holds(parsed.expression, subject);
}

export function selectArtifacts(
  skill: SkillPackage,
  request: ComposeSkillRequest,
  subject: Subject,
  most: number,
): Selection {
  const leftOut = new Set(request.leave_out);
  const passedOver: PassedOver[] = [];
  const pass = (artifact: SkillArtifact, reason: PassedOver["reason"]): false => {
    passedOver.push({ ...refOf(artifact), reason });
    return false;
  };
  const isMeant = (artifact: SkillArtifact): boolean =>
    applies(artifact.include_when, subject) || pass(artifact, "condition");
  // Last of all: what is left out keeps its place, so that no other one takes it.
  const stays = (artifact: SkillArtifact): boolean =>
    !leftOut.has(artifact.id) || pass(artifact, "left-out");

  const descriptions = artifactsOf(skill, "Description").filter(isMeant).filter(stays);
  const examples = rankExamples(artifactsOf(skill, "Example").filter(isMeant), request, subject)
    .filter(({ example, isRelevant }) => isRelevant || pass(example, "relevance"))
    .filter(({ example }, place) => place < most || pass(example, "count"))
    .map(({ example }) => example)
    .filter(stays);
  return { descriptions, examples, passedOver };
}

type Ranked = {
  readonly example: ArtifactOf<"Example">;
  /** It has no tags, or one that fits. */
  readonly isRelevant: boolean;
  /** Tags that the invocation or a parameter names. */
  readonly named: number;
  /** Tags that only the words of the request name. */
  readonly worded: number;
};

/** Named tags count before words, words before none; otherwise the author's order. */
function rankExamples(
  examples: readonly ArtifactOf<"Example">[],
  request: ComposeSkillRequest,
  subject: Subject,
): readonly Ranked[] {
  const about = new Set([...(request.tags ?? []), ...textsIn(subject.parameters)].map(fold));
  const words = new Set(request.user_request.match(WORD)?.map(fold));
  return examples
    .map((example): Ranked => {
      const tags = [...new Set(example.tags.map(fold))];
      const named = tags.filter((tag) => about.has(tag)).length;
      const worded = tags.filter((tag) => !about.has(tag) && words.has(tag)).length;
      return { example, isRelevant: tags.length === 0 || named + worded > 0, named, worded };
    })
    .sort((a, b) => b.named - a.named || b.worded - a.worded);
}

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}_+#.-]*[\p{L}\p{N}+#])?/gu;
const fold = (text: string): string => text.trim().toLowerCase();

/** The texts among parameters, one list deep. */
const textsIn = (parameters: unknown): readonly string[] =>
  Object.values(parameters ?? {})
    .flat()
    .filter((value) => typeof value === "string");

export type Fitted =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly tokens: number;
      readonly artifacts: readonly SizedArtifact[];
      readonly trimming: readonly SizedArtifact[];
    };

/** Whether the chosen ones fit, and if not, which to go without. */
export function fitArtifacts(
  { descriptions, examples }: Selection,
  limit: number,
  estimate: (text: string) => number,
): Fitted {
  const sized = [...descriptions, ...examples].map((artifact) => ({
    ...refOf(artifact),
    tokens: estimate(artifact.body),
  }));
  const tokens = sum(sized);
  if (tokens <= limit) return { ok: true };
  // The least relevant example goes first, the author's first description last.
  const order = [
    ...sized.slice(descriptions.length).reverse(),
    ...sized.slice(0, descriptions.length).reverse(),
  ];
  let kept = tokens;
  const dropped = order.filter((artifact) => {
    if (kept <= limit) return false;
    kept -= artifact.tokens;
    return true;
  });
  // One large artifact may have made room for small ones that went before it.
  const trimming = dropped.toReversed().filter((artifact) => {
    if (kept + artifact.tokens > limit) return true;
    kept += artifact.tokens;
    return false;
  });
  return { ok: false, tokens, artifacts: sized, trimming: trimming.reverse() };
}

export const sum = (sized: readonly SizedArtifact[]): number =>
  sized.reduce((total, { tokens }) => total + tokens, 0);
