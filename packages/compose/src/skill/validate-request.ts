/**
 * The first step: is this a skill, are these its parameters, and are there tools if it cannot do
 * without. Others have checked before; what runs here does not rely on it.
 */
import type { Json } from "../draft.ts";
import type { SkillPackage } from "./package.ts";
import { type PackageFault, pathText, readSkillPackage } from "./package-faults.ts";
import type { SchemaIssue, SkillPorts } from "./ports.ts";
import {
  type ComposeSkillRequest,
  filledParameters,
  isTooDeep,
  PARAMETER_DEPTH,
} from "./request.ts";
import { refuse } from "./skill-error.ts";
import { sortedSet, type ToolCeiling, toolCeiling } from "./tool-ceiling.ts";

type Refusal = ReturnType<typeof refuse>;
type Valid =
  | {
      readonly ok: true;
      readonly skill: SkillPackage;
      readonly parameters: Readonly<Record<string, Json>>;
      readonly ceiling: ToolCeiling;
    }
  | Refusal;

export async function validateRequest(
  request: ComposeSkillRequest,
  ports: Pick<SkillPorts, "checkSchema">,
): Promise<Valid> {
  const read = readSkillPackage(request.skill_package);
  if (!read.ok) return badPackage(read.faults);
  const { skill } = read;
  if (isTooDeep(request.parameters) || isTooDeep(skill.parameters)) return tooDeep(skill.name);
  const parameters = filledParameters(request.parameters, skill.parameters);
  const issues = await ports.checkSchema(skill.parameters, parameters);
  const outputIssues =
    skill.output_schema === undefined ? [] : await ports.checkSchema(skill.output_schema, null);
  const faults = [
    ...schemaFaults("parameters", issues),
    ...schemaFaults("output_schema", outputIssues),
  ];
  if (faults.length > 0) return badPackage(faults);
  if (issues.length > 0) return badParameters(skill.name, issues);
  const ceiling = toolCeiling(skill, request);
  const isNeeded = Array.isArray(skill.requires_tools)
    ? skill.requires_tools.length > 0
    : skill.requires_tools;
  if (isNeeded && ceiling.allowed.length === 0) return narrowed(skill, request);
  return { ok: true, skill, parameters, ceiling };
}

function badPackage(faults: readonly PackageFault[]): Refusal {
  const fields = faults.filter(({ problem }) => problem !== "condition");
  const [first = faults[0]] = fields;
  const where = first === undefined ? "the package" : pathText(first.path);
  if (fields.length > 0) {
    const message = fields.map(({ says, fix }) => `${says} (${fix})`).join("; ");
    return refuse("MissingRequiredField", message, { fields });
  }
  return refuse("MalformedTemplate", `${where}: ${first?.says} (${first?.fix})`, {
    where,
    reason: "condition",
    ...(first?.column !== undefined && { column: first.column }),
    fix: first?.fix ?? "",
  });
}

const schemaFaults = (field: string, issues: readonly SchemaIssue[]): readonly PackageFault[] =>
  issues
    .filter(({ at }) => at === "schema")
    .map(({ pointer, says }) => ({
      path: [field, ...pointer.split("/").filter((key) => key !== "")],
      problem: "malformed",
      says: `\`${field}\` is no JSON Schema: ${says}`,
      fix: "mend the schema",
    }));

function badParameters(name: string, issues: readonly SchemaIssue[]): Refusal {
  const shown = issues.map(({ pointer, says }) => `${pointer || "/"}: ${says}`).join("; ");
  const plain = issues.map(({ pointer, says }) => ({ pointer, says }));
  return refuse("ParameterMismatch", `the parameters do not fit ${name}: ${shown}`, {
    issues: plain,
  });
}

function tooDeep(name: string): Refusal {
  const says = `nested more than ${PARAMETER_DEPTH} deep`;
  return badParameters(name, [{ at: "value", pointer: "", says }]);
}

function narrowed(skill: SkillPackage, request: ComposeSkillRequest): Refusal {
  const tool_surface = sortedSet(skill.tool_surface ?? []);
  const caller_capabilities = sortedSet(request.caller_capabilities);
  const missing = tool_surface.filter((tool) => !caller_capabilities.includes(tool));
  const message = `${skill.name} cannot do without tools, and its caller may use none of its own`;
  return refuse("CapabilityNarrowing", message, { tool_surface, caller_capabilities, missing });
}
