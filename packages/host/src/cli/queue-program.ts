/** The grammar of `galley queue`. */
import type { Command } from "commander";
import { addLeaf, type Leaf, type Run, word } from "./grammar.ts";
import type { Io } from "./io.ts";

export function addQueueCommands(program: Command, io: Io, run: Run): void {
  const queue = program
    .command("queue")
    .description("what waits in a session: list, cancel, edit, move")
    .addHelpText("after", HELP);
  for (const leaf of leaves(io)) addLeaf(queue, run, leaf);
}

const leaves = (io: Io): readonly Leaf[] => [
  {
    name: "list <session>",
    says: "the next to fire first",
    options: [["--json", "as JSON"]],
    async work(command) {
      const { listQueue } = await import("./queue.ts");
      return listQueue(word(command, 0), command.optsWithGlobals(), io);
    },
  },
  {
    name: "cancel <session> <message>",
    says: "it will not fire",
    async work(command) {
      const { cancelQueued } = await import("./queue.ts");
      return cancelQueued(word(command, 0), word(command, 1), command.optsWithGlobals(), io);
    },
  },
  {
    name: "edit <session> <message> <text...>",
    says: "other words for a message that waits, in the same place",
    async work(command) {
      const { editQueued } = await import("./queue.ts");
      const [id = "", message = "", ...words] = command.args;
      return editQueued(id, message, words, command.optsWithGlobals(), io);
    },
  },
  {
    name: "move <session> <message>",
    says: "another place in the queue",
    options: [
      ["--before <message>", "in front of this one"],
      ["--after <message>", "behind this one"],
    ],
    async work(command) {
      const { moveQueued } = await import("./queue.ts");
      return moveQueued(word(command, 0), word(command, 1), command.optsWithGlobals(), io);
    },
  },
];

const HELP = `
Examples:
  $ galley queue list ses_…
  $ galley queue move ses_… msg_… --before msg_…
  $ galley queue edit ses_… msg_… "What I meant"
`;
