/** The tool that finds lines by a pattern, over a folder or in one file. */
import { plainName } from "@galley/shape";
import type { Tool, ToolOutput } from "@galley/turn";
import { z } from "zod";
import { ownPaths } from "../workspace/own-files.ts";
import { defineTool, refuse, STOPPED, say } from "./define-tool.ts";
import { FOLDER_FIELD, findFolder, walkRemarks } from "./folder.ts";
import { readGlob } from "./glob-pattern.ts";
import type { GrepEnd, GrepFound } from "./grep-job.ts";
import { readRegex } from "./grep-lines.ts";
import { type GrepResult, searchFiles } from "./grep-thread.ts";
import { readablePath } from "./readable-path.ts";
import { type ToolPlaces, withTarget } from "./target.ts";

export type GrepLimits = {
  readonly lines: number;
  readonly fileBytes: number;
  readonly timeMs: number;
};

export const GREP_LIMITS: GrepLimits = {
  lines: 200,
  fileBytes: 32 * 1024 * 1024,
  timeMs: 20_000,
};

const INPUT = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(1000)
    .describe("A JavaScript regular expression, held against each line by itself."),
  path: FOLDER_FIELD.describe(
    "The folder to search, or one file, from the workspace's root, which it is unless said; `scratch:` is this session's scratch folder.",
  ),
  glob: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe("Only files that match, as in the glob tool, such as `*.ts`."),
  ignore_case: z.boolean().optional().describe("Whether capitals and small letters are alike."),
});
type Input = z.infer<typeof INPUT>;

export const grepTool = (places: ToolPlaces, limits: GrepLimits = GREP_LIMITS): Tool =>
  defineTool({
    name: "grep",
    description: `Finds lines that match a regular expression, in the text files of a folder or in one file: the path, then each line with its number, at most ${limits.lines} lines. What .gitignore and .agentsignore leave out, links and binary files are not searched; a file that git ignores is when it is named as \`path\`. Use it to find where something is said; it shows no lines around a match: the read tool does. No match spans lines. A search ends after ${limits.timeMs / 1000} seconds with what it found until then.`,
    input: INPUT,
    parallel: true,
    subject: ({ path }) => path ?? ".",
    async run(input, context): Promise<ToolOutput> {
      const regex = readRegex(input.pattern, input.ignore_case === true);
      if (typeof regex === "string") return refuse(`the pattern cannot be used: ${regex}`);
      const folder = await findFolder(places, context.session, input.path);
      if (!folder.ok) return refuse(folder.reason);
      const search = { regex, mostLines: limits.lines };
      if (folder.isFile) {
        return withTarget(places, context, { path: input.path }, async (target) => {
          const bytes = await target.whole(limits.fileBytes);
          if (!bytes.ok) return refuse(`cannot search ${target.name}: ${bytes.reason}`);
          if (bytes.value.includes(0)) return refuse(`${target.name} is no text file`);
          const text = Buffer.from(bytes.value).toString("utf8");
          const job = { ...search, path: input.path ?? "", text };
          return answer(await searchFiles(job, context.signal, limits.timeMs), "", limits);
        });
      }
      const glob = readGlob(input.glob ?? "*");
      if (!glob.ok) return refuse(`the glob cannot be used: ${glob.reason}`);
      const { root, prefix, shown } = folder;
      const bounds = { mostFileBytes: limits.fileBytes, own: ownPaths() };
      const job = { ...search, root, prefix, ...bounds, ...only(input) };
      return answer(await searchFiles(job, context.signal, limits.timeMs), shown, limits);
    },
  });

const only = ({ glob }: Input) => (glob === undefined ? {} : { glob });

function answer({ found, outcome }: GrepResult, shown: string, limits: GrepLimits): ToolOutput {
  if (outcome.kind === "stopped") return STOPPED;
  if (outcome.kind === "failed") return refuse(`the search failed: ${outcome.reason}`);
  const isSlow = outcome.kind === "slow";
  const took = `stopped after ${limits.timeMs / 1000} seconds; a simpler pattern or a smaller folder takes less`;
  if (isSlow && found.length === 0) return refuse(`nothing found: ${took}`);
  const remarks = isSlow ? [took] : remarksOf(outcome.end, limits);
  const files = found.map((each) => fileText(each, shown));
  const head = found.length === 0 ? ["No line matches."] : [];
  const text = [...head, ...files, remarks.map((each) => `(${each})`).join("\n")];
  const isPartial = isSlow || outcome.end.isFull || outcome.end.end !== "complete";
  return say(text.filter((each) => each !== "").join("\n\n"), isPartial);
}

const fileText = ({ path, lines }: GrepFound, shown: string): string =>
  [
    readablePath(shown + path),
    ...lines.map(({ line, text }) => `${line}: ${plainName(text.replaceAll("\t", "  "))}`),
  ].join("\n");

/** What was not searched, and why there may be more. */
function remarksOf(end: GrepEnd, limits: GrepLimits): readonly string[] {
  const { large, unreadable, binary, isFull } = end;
  const walked = isFull ? { ...end, end: "complete" as const } : end;
  return [
    ...(isFull ? [`the first ${limits.lines} lines: a narrower search shows the others`] : []),
    ...(large.count > 0
      ? [`not searched: ${large.count} files over ${limits.fileBytes} bytes (${some(large)})`]
      : []),
    ...(unreadable.count > 0
      ? [`not searched: ${unreadable.count} files that cannot be read (${some(unreadable)})`]
      : []),
    ...(binary > 0 ? [`not searched: ${binary} binary files`] : []),
    ...walkRemarks(walked),
  ];
}

const some = ({ count, examples }: GrepEnd["large"]): string =>
  `${examples.map(readablePath).join(", ")}${count > examples.length ? ", …" : ""}`;
