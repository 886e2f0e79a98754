/** What the grammars of the commands share: how one is added, run, or announced and not built. */
import { type Command, InvalidArgumentError, type Option } from "commander";

/** Wraps a command's work: its exit code becomes the program's. */
export type Run = (
  work: (command: Command) => Promise<number>,
) => (...given: unknown[]) => Promise<void>;

export type Leaf = {
  /** With its arguments: `show <session>`. */
  readonly name: string;
  readonly says: string;
  readonly options?: readonly (Option | readonly [flags: string, says: string])[];
  readonly help?: string;
  work(command: Command): Promise<number>;
};

export function addLeaf(
  parent: Command,
  run: Run,
  { name, says, options, help, work }: Leaf,
): void {
  const command = parent.command(name).description(says);
  for (const option of options ?? []) {
    if ("flags" in option) command.addOption(option);
    else command.option(...option);
  }
  if (help !== undefined) command.addHelpText("after", help);
  command.action(run(work));
}

/** The command's own words, which the parser has counted. */
export const word = (command: Command, index: number): string => command.args[index] ?? "";

export function countOf(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It is a number from 1.");
}

/** Announced and not built: a plain word instead of a puzzle. */
export function addLater(parent: Command, names: readonly string[], under: string): void {
  for (const name of names) {
    parent
      .command(name, { hidden: true })
      .argument("[words...]")
      .allowUnknownOption()
      .action(async () => {
        const { HostError } = await import("../host-error.ts");
        const instead = `see ${under} --help`;
        throw HostError.make("not_yet", { what: `${under} ${name}`, instead });
      });
  }
}
