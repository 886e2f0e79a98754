/** The framing as the model reads it: prose as it was written, a template rendered over parameters. */
import type { Json } from "../draft.ts";
import { artifactsOf, type SkillPackage } from "./package.ts";
import type { Rendered, SkillPorts, TemplateLimits } from "./ports.ts";
import { refuse } from "./skill-error.ts";

export type Framing = { readonly text: string; readonly artifact?: string };
type Framed = ({ readonly ok: true } & Framing) | ReturnType<typeof refuse>;

export async function renderFraming(
  skill: SkillPackage,
  parameters: Readonly<Record<string, Json>>,
  ports: Pick<SkillPorts, "renderTemplate">,
  limits: TemplateLimits,
): Promise<Framed> {
  const { source, isTemplate, artifact } = framingOf(skill);
  const named = artifact === undefined ? {} : { artifact };
  if (!isTemplate) return { ok: true, text: source, ...named };
  if (source.length > limits.sourceChars) {
    const says = `the template has ${source.length} characters, of at most ${limits.sourceChars}`;
    return malformed({ ok: false, reason: "limit", says }, artifact);
  }
  // Both `{{ lang }}` and `{{ parameters.lang }}`, so that templates and conditions read alike.
  const rendered = await ports.renderTemplate(source, { ...parameters, parameters }, limits);
  if (!rendered.ok) return malformed(rendered, artifact);
  if (rendered.text.length > limits.outputChars) {
    const says = `the template gave ${rendered.text.length} characters, of at most ${limits.outputChars}`;
    return malformed({ ok: false, reason: "limit", says }, artifact);
  }
  if (rendered.text.trim() === "") {
    const says = "the template gave no text";
    return malformed({ ok: false, reason: "failed", says }, artifact);
  }
  return { ok: true, text: rendered.text, ...named };
}

type Source = { readonly source: string; readonly isTemplate: boolean; readonly artifact?: string };

function framingOf(skill: SkillPackage): Source {
  const { framing, framing_kind } = skill;
  if (typeof framing === "string")
    return { source: framing, isTemplate: framing_kind === "template" };
  // Validation has seen that there is one.
  const found = artifactsOf(skill, "PromptTemplate").find(({ id }) => id === framing.artifact);
  return { source: found?.body ?? "", isTemplate: true, artifact: framing.artifact };
}

const FIXES: { readonly [R in Extract<Rendered, { ok: false }>["reason"]]: string } = {
  syntax: "mend the template where it says",
  undefined: "give that parameter, name a default in the schema, or ask `is defined` first",
  limit: "loop over less, or write less",
  failed: "mend the template where it says",
};

function malformed(
  { reason, says, line }: Extract<Rendered, { readonly ok: false }>,
  artifact: string | undefined,
): ReturnType<typeof refuse> {
  const where = artifact === undefined ? "framing" : `artifact ${artifact}`;
  const place = line === undefined ? where : `${where}, line ${line}`;
  return refuse("MalformedTemplate", `${place}: ${says}`, {
    where,
    ...(artifact !== undefined && { artifact }),
    reason,
    ...(line !== undefined && { line }),
    fix: FIXES[reason],
  });
}
