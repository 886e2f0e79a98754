/** `galley commands`: what can be typed behind a `/`, where it comes from, what is odd about it. */
import type { Collision, Completion, Finding } from "@galley/compose";
import { plainName } from "@galley/shape";
import { type Io, json } from "./io.ts";
import { type CommonFlags, withPipeline } from "./open-pipeline.ts";
import { table } from "./table.ts";

export function runCommands(
  prefix: string | undefined,
  flags: CommonFlags & { readonly json?: boolean },
  io: Io,
): Promise<number> {
  return withPipeline(flags, io, async ({ pipeline }) => {
    const list = await pipeline.commands(prefix ?? "");
    if (flags.json) {
      await io.out(json(list));
      return 0;
    }
    await io.out(table(HEAD, list.commands.map(cells)));
    for (const finding of list.findings) io.err(`galley: warning: ${lineOf(finding)}`);
    for (const collision of list.collisions) io.err(`galley: note: ${sharedName(collision)}`);
    return 0;
  });
}

const HEAD = ["command", "from", "does"];

const cells = ({ id, argument_hint, source, from, description }: Completion): string[] => [
  plainName(argument_hint === undefined ? id : `${id} ${argument_hint}`),
  plainName(from === undefined || source === "skill" ? source : from),
  plainName(description),
];

const lineOf = ({ file, line, says, fix }: Finding): string =>
  plainName(`${file}:${line}: ${says}; ${fix}`);

const sharedName = ({ name, taken, shadowed }: Collision): string =>
  plainName(`/${name} is ${taken}; it hides ${shadowed.join(", ")}`);
