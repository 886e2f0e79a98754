/**
 * What is wrong with a package, all of it at once: fields that are missing or of the wrong kind,
 * then fields that do not agree. Both the reader of folders and the composer ask here.
 */
import type { z } from "zod";
import { parseExpression } from "./expression/parse.ts";
import { FIXED_NODES, stageNode } from "./graph-node.ts";
import { liftPackage } from "./lift-package.ts";
import { artifactsOf, SkillPackage } from "./package.ts";

export type PackageFault = {
  /** Keys and indexes from the package down. */
  readonly path: readonly (string | number)[];
  readonly problem: "missing" | "malformed" | "condition";
  readonly says: string;
  readonly fix: string;
  /** Of a condition: 1-based. */
  readonly column?: number;
};

export type ReadPackage =
  | { readonly ok: true; readonly skill: SkillPackage }
  | { readonly ok: false; readonly faults: readonly PackageFault[] };

export function readSkillPackage(written: unknown): ReadPackage {
  const given = liftPackage(written);
  const parsed = SkillPackage.safeParse(given);
  if (!parsed.success) {
    return { ok: false, faults: parsed.error.issues.map((issue) => faultOfIssue(issue, given)) };
  }
  const faults = [
    ...framingFaults(parsed.data),
    ...idFaults(parsed.data),
    ...whenFaults(parsed.data),
  ];
  return faults.length === 0 ? { ok: true, skill: parsed.data } : { ok: false, faults };
}

function faultOfIssue(issue: z.core.$ZodIssue, given: unknown): PackageFault {
  const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  const shown = pathText(path);
  return valueAt(given, path) === undefined
    ? { path, problem: "missing", says: `\`${shown}\` is missing`, fix: `write \`${shown}\`` }
    : {
        path,
        problem: "malformed",
        says: `\`${shown}\` is not as it is to be: ${issue.message}`,
        fix: FIXES[String(path.at(-1))] ?? `mend \`${shown}\``,
      };
}

const valueAt = (given: unknown, path: PackageFault["path"]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    given,
  );

const FIXES: Readonly<Record<string, string>> = {
  kind: "one of PromptTemplate, Description, Example, Approach",
  parameters: 'a JSON Schema, such as { type: "object", properties: {…} }',
  output_schema: 'a JSON Schema, such as { type: "object", properties: {…} }',
  tool_surface: "a list of tool names",
  requires_tools: "true, false or a list of tool names",
  framing_kind: "prose or template",
  tool_call_budget: "a whole number from 1",
};

/** `artifacts[2].include_when` */
export const pathText = (path: PackageFault["path"]): string =>
  path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join("") || "the package";

function framingFaults(skill: SkillPackage): readonly PackageFault[] {
  const path = ["framing"];
  const { framing } = skill;
  if (typeof framing === "string") {
    if (framing.trim() !== "") return [];
    const fix = "write what the model is to do, as the body of SKILL.md or as `framing`";
    return [{ path, problem: "missing", says: "the framing is empty", fix }];
  }
  const known = artifactsOf(skill, "PromptTemplate").map(({ id }) => id);
  if (known.includes(framing.artifact)) return [];
  const says = `the framing is the artifact ${framing.artifact}, and no PromptTemplate has that id`;
  const fix = known.length > 0 ? `known: ${known.join(", ")}` : "add that artifact";
  return [{ path, problem: "malformed", says, fix }];
}

function idFaults(skill: SkillPackage): readonly PackageFault[] {
  const stages = artifactsOf(skill, "Approach").flatMap(({ stages = [] }) => stages);
  const places = new Set([...FIXED_NODES, ...stages.flatMap(({ id }) => [id, stageNode(id)])]);
  const lost = skill.interrupts.flatMap(({ name, at }, index): PackageFault[] => {
    if (at === undefined || places.has(at)) return [];
    const says = `the interrupt ${name} is at ${at}, which is no stage and no node`;
    const fix = `one of ${[...places].join(", ")}`;
    return [{ path: ["interrupts", index, "at"], problem: "malformed", says, fix }];
  });
  return [
    ...twice(skill.artifacts.map(({ id }, index) => [id, ["artifacts", index, "id"]])),
    ...twice(skill.interrupts.map(({ name }, index) => [name, ["interrupts", index, "name"]])),
    ...skill.artifacts.flatMap((artifact, index) =>
      artifact.kind !== "Approach"
        ? []
        : twice(
            (artifact.stages ?? []).map(({ id }, at) => [
              id,
              ["artifacts", index, "stages", at, "id"],
            ]),
          ),
    ),
    ...lost,
  ];
}

function twice(
  named: readonly (readonly [string, PackageFault["path"]])[],
): readonly PackageFault[] {
  const seen = new Set<string>();
  return named.flatMap(([name, path]): PackageFault[] => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const says = `\`${name}\` is there twice`;
    return [{ path, problem: "malformed", says, fix: "give each a name of its own" }];
  });
}

function whenFaults(skill: SkillPackage): readonly PackageFault[] {
  const conditions: (readonly [string | undefined, PackageFault["path"]])[] = [
    ...skill.interrupts.map(({ when }, index) => [when, ["interrupts", index, "when"]] as const),
    ...skill.artifacts.flatMap((artifact, index) => {
      const path = ["artifacts", index];
      const stages = artifact.kind === "Approach" ? (artifact.stages ?? []) : [];
      return [
        [artifact.include_when, [...path, "include_when"]] as const,
        ...stages.map(
          ({ include_when }, at) =>
            [include_when, [...path, "stages", at, "include_when"]] as const,
        ),
      ];
    }),
  ];
  return conditions.flatMap(([text, path]): PackageFault[] => {
    if (text === undefined) return [];
    const parsed = parseExpression(text);
    if (parsed.ok) return [];
    const { column, says, fix } = parsed.fault;
    return [{ path, problem: "condition", says: `column ${column}: ${says}`, fix, column }];
  });
}
