/**
 * A folder of the agentskills format to a package, with whatever is odd about it. Pure over texts:
 * reading them is the host's. Published skills are slightly off their format now and then, so what
 * can be used loads with a warning; what cannot says what is wrong, where, and how to mend it.
 */
import { type Head, readMarkdown, type Say } from "../../command/command-head.ts";
import type { Finding } from "../../command/finding.ts";
import type { SkillPackage } from "../package.ts";
import { type PackageFault, readSkillPackage } from "../package-faults.ts";
import {
  type FolderFile,
  isTemplate,
  type ReadArtifacts,
  readArtifacts,
} from "./skill-artifacts.ts";
import { checkHead, descriptionOf, nameOf } from "./skill-head.ts";
import { readSettings, type Settings } from "./skill-settings.ts";
import type { KeyPath, lineOf, Origin } from "./written.ts";

export type SkillFolder = {
  /** The name of the folder itself. */
  readonly name: string;
  /** How its path is shown to a person; findings begin with it. */
  readonly shown: string;
  readonly files: readonly FolderFile[];
};

export type ReadSkillFolder = {
  /** Absent when there is an error among the findings. */
  readonly skill?: SkillPackage;
  readonly findings: readonly Finding[];
};

export async function packageFromFolder(folder: SkillFolder): Promise<ReadSkillFolder> {
  const findings: Finding[] = [];
  const sayOf =
    (file: string): Say =>
    (severity, line, says, fix) =>
      findings.push({ file: `${folder.shown}/${file}`, line, severity, says, fix });
  const files = new Map(folder.files.map((file) => [file.path, file]));
  const main = mainOf(folder.files);
  if (main?.text === undefined) {
    const says = main === undefined ? "there is no SKILL.md" : "SKILL.md is not text";
    sayOf("SKILL.md")("error", 1, says, "write a SKILL.md with `name` and `description`");
    return { findings };
  }
  const say = sayOf(main.path);
  const head = await readMarkdown(main.text, say);
  checkHead(head, folder.name, say);
  const origin: Origin = {
    file: `${folder.shown}/${main.path}`,
    format: "yaml",
    text: frontMatterOf(main.text),
    above: [],
  };
  const toml = files.get("skill.toml")?.text;
  // Only who has skills pays for the parser.
  const written = await import("./written.ts");
  const settings = await readSettings(
    {
      fields: head.fields,
      head: origin,
      lineOf: written.lineOf,
      ...(toml !== undefined && { toml: { file: `${folder.shown}/skill.toml`, text: toml } }),
    },
    say,
    sayOf("skill.toml"),
  );
  const room = { folder, files, main: main.path, head, settings, origin, lineOf: written.lineOf };
  const skill = build(room, findings);
  const isBroken = skill === undefined || findings.some(({ severity }) => severity === "error");
  return isBroken ? { findings } : { skill, findings };
}

/** The exact name goes before other spellings of it. */
const mainOf = (files: readonly FolderFile[]): FolderFile | undefined =>
  files.find(({ path }) => path === "SKILL.md") ??
  files.find(({ path }) => path.toLowerCase() === "skill.md");

const frontMatterOf = (text: string): string =>
  /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m.exec(text)?.[1] ?? "";

type Room = {
  readonly folder: SkillFolder;
  readonly files: ReadonlyMap<string, FolderFile>;
  readonly main: string;
  readonly head: Head;
  readonly settings: Settings;
  readonly origin: Origin;
  readonly lineOf: typeof lineOf;
};

function build(room: Room, findings: Finding[]): SkillPackage | undefined {
  const { folder, files, main, head, settings, origin } = room;
  const originOf = (path: KeyPath): Origin => settings.origins.get(String(path[0])) ?? origin;
  const sayAt = (severity: Finding["severity"], path: KeyPath, says: string, fix: string): void => {
    const from = originOf(path);
    findings.push({ file: from.file, line: room.lineOf(from, path), severity, says, fix });
  };
  const artifacts = readArtifacts(settings.values.get("artifacts"), files, sayAt);
  const hasFraming = settings.values.has("framing");
  if (hasFraming && head.body !== "") {
    const says = "the body is not used, because `framing` is set";
    findings.push({
      file: origin.file,
      line: head.bodyLine,
      severity: "warning",
      says,
      fix: "keep one",
    });
  }
  const read = readSkillPackage({
    ...extras(head),
    parameters: { type: "object" },
    ...Object.fromEntries(settings.values),
    name: nameOf(head, folder.name),
    description: descriptionOf(head) ?? "",
    framing: settings.values.get("framing") ?? bodyOr(head.body, artifacts.artifacts),
    artifacts: artifacts.artifacts,
    resources: resourcesOf(folder.files, [main, "skill.toml", ...artifacts.files]),
  });
  if (read.ok) return read.skill;
  for (const { path, says, fix } of read.faults) {
    sayAt("error", asWritten(path, artifacts), says, fix);
  }
  return undefined;
}

/** The fields of the format that a package keeps and does not read. */
const extras = ({ fields }: Head): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    ["license", "compatibility"].flatMap((key) => {
      const value = fields.get(key)?.value;
      return typeof value === "string" ? [[key, value]] : [];
    }),
  );

/** A skill without a body whose one template is meant to be the framing. */
function bodyOr(body: string, artifacts: readonly unknown[]): unknown {
  const templates = artifacts.filter(isTemplate);
  const [only] = templates;
  return body === "" && only !== undefined && templates.length === 1 ? { artifact: only.id } : body;
}

const resourcesOf = (files: readonly FolderFile[], used: readonly string[]): readonly string[] =>
  files
    .map(({ path }) => path)
    .filter((path) => !used.includes(path))
    .sort();

/** Artifacts may be written as a table; faults count them as a list. */
function asWritten(path: PackageFault["path"], { paths }: ReadArtifacts): KeyPath {
  const [top, index, ...rest] = path;
  const written = top === "artifacts" && typeof index === "number" ? paths[index] : undefined;
  return written === undefined ? path : [...written, ...rest];
}
