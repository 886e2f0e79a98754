/** The grammar of `galley session` and `galley context`. */
import { type Command, Option } from "commander";
import { addLater, addLeaf, countOf, type Leaf, type Run, word } from "./grammar.ts";
import type { Io } from "./io.ts";

export function addSessionCommands(program: Command, io: Io, run: Run): void {
  const session = program
    .command("session")
    .description(
      "sessions: list, show, fork, rewind, archive, delete, export, import, and go on with one",
    )
    .addHelpText("after", HELP);
  for (const leaf of [
    ...kept(io),
    ...branches(io),
    ...transfers(io),
    ...goingOn(io),
    ...asked(io),
  ]) {
    addLeaf(session, run, leaf);
  }
  addLater(session, ["diff", "replay"], "galley session");
  addLeaf(program, run, {
    name: "context [session]",
    says: "what the model was given with the last request, and what each piece costs",
    options: [AS_JSON],
    help: "\nExamples:\n  $ galley context\n  $ galley context ses_… --json\n",
    async work(command) {
      const { showContext } = await import("./context.ts");
      return showContext(command.args[0], command.optsWithGlobals(), io);
    },
  });
}

const AS_JSON = ["--json", "as JSON"] as const;
const CHUNKS = ["--json", "one UI message chunk a line"] as const;

const kept = (io: Io): readonly Leaf[] => [
  {
    name: "list",
    says: "the most recently used first",
    options: [
      ["--all", "archived ones and sidecars too"],
      new Option("--limit <number>", "at most so many (default: 50)").argParser(countOf),
      AS_JSON,
    ],
    async work(command) {
      const { listSessions } = await import("./session.ts");
      return listSessions(command.optsWithGlobals(), io);
    },
  },
  {
    name: "show <session>",
    says: "what it does, what was said and what waits",
    options: [AS_JSON],
    async work(command) {
      const { showSession } = await import("./session.ts");
      return showSession(word(command, 0), command.optsWithGlobals(), io);
    },
  },
  {
    name: "archive <session>",
    says: "puts it away; it takes no more messages",
    options: [["--undo", "takes it out again"], AS_JSON],
    async work(command) {
      const { archiveSession } = await import("./session.ts");
      return archiveSession(word(command, 0), command.optsWithGlobals(), io);
    },
  },
  {
    name: "delete <session>",
    says: "for good, with everything in it",
    async work(command) {
      const { deleteSession } = await import("./session.ts");
      return deleteSession(word(command, 0), command.optsWithGlobals(), io);
    },
  },
];

const branches = (io: Io): readonly Leaf[] => [
  {
    name: "fork <session> [message]",
    says: "a session of its own that begins with what was said here, up to a message",
    options: [
      ["--title <title>", "its title"],
      ["--sidecar", "hidden from lists, and opened also while this one runs"],
      AS_JSON,
    ],
    async work(command) {
      const { forkSession } = await import("./session-branch.ts");
      const [id = "", message] = command.args;
      return forkSession(id, message, command.optsWithGlobals(), io);
    },
  },
  {
    name: "promote <session>",
    says: "makes a sidecar a session like any other",
    options: [AS_JSON],
    async work(command) {
      const { promoteSession } = await import("./session-branch.ts");
      return promoteSession(word(command, 0), command.optsWithGlobals(), io);
    },
  },
  {
    name: "rewind <session> <message>",
    says: "goes back to a message: hides it and all after it, and prints its parts",
    options: [
      ["--resend", "keeps the message and streams another answer to it"],
      ["--json", "as JSON; with --resend, one UI message chunk a line"],
    ],
    async work(command) {
      const { rewindSession } = await import("./session-branch.ts");
      return rewindSession(word(command, 0), word(command, 1), command.optsWithGlobals(), io);
    },
  },
  {
    name: "unrewind <session> [rewind]",
    says: "takes the latest rewind back, or the named one; the two branches change places",
    options: [AS_JSON],
    async work(command) {
      const { unrewindSession } = await import("./session-branch.ts");
      const [id = "", rewind] = command.args;
      return unrewindSession(id, rewind, command.optsWithGlobals(), io);
    },
  },
];

const transfers = (io: Io): readonly Leaf[] => [
  {
    name: "export <session>",
    says: "everything about it as JSONL",
    options: [["--json", "JSON lines are what it prints anyway"]],
    async work(command) {
      const { exportSession } = await import("./session.ts");
      return exportSession(word(command, 0), command.optsWithGlobals(), io);
    },
  },
  {
    name: "import [file]",
    says: "takes an export back, all of it or nothing; - or nothing reads standard input",
    options: [AS_JSON],
    async work(command) {
      const { importSession } = await import("./session.ts");
      return importSession(command.args[0], command.optsWithGlobals(), io);
    },
  },
];

const goingOn = (io: Io): readonly Leaf[] => [
  {
    name: "retry <session>",
    says: "sends the message that failed again, and streams the answer",
    options: [CHUNKS],
    async work(command) {
      const { retrySession } = await import("./session-run.ts");
      return retrySession(word(command, 0), command.optsWithGlobals(), io);
    },
  },
  {
    name: "resume <session>",
    says: "goes on with the queue after a failure or a hold, and streams the answers",
    options: [CHUNKS],
    async work(command) {
      const { resumeSession } = await import("./session-run.ts");
      return resumeSession(word(command, 0), command.optsWithGlobals(), io);
    },
  },
  {
    name: "abort <session>",
    says: "ends what runs, and keeps what was said",
    options: [["--clear-queue", "cancels what waits, too"]],
    async work(command) {
      const { abortSession } = await import("./session-run.ts");
      return abortSession(word(command, 0), command.optsWithGlobals(), io);
    },
  },
];

const asked = (io: Io): readonly Leaf[] => [
  {
    name: "answer <session> <call> [answer...]",
    says: "answers the questions of a call, one word each, or an approval; the turn goes on",
    options: [
      ["--allow", "the call may run"],
      ["--deny", "it may not"],
      ["--always", "for the rest of the session"],
      ["--answers <json>", 'several for one question: [["a","b"]]'],
      CHUNKS,
    ],
    async work(command) {
      const { answerCall } = await import("./session-run.ts");
      const [id = "", call = "", ...words] = command.args;
      return answerCall(id, call, words, command.optsWithGlobals(), io);
    },
  },
  {
    name: "dismiss <session> <call>",
    says: "leaves a question or an approval unanswered; the turn goes on",
    options: [CHUNKS],
    async work(command) {
      const { dismissCall } = await import("./session-run.ts");
      return dismissCall(word(command, 0), word(command, 1), command.optsWithGlobals(), io);
    },
  },
];

const HELP = `
Examples:
  $ galley session list
  $ galley session show ses_…
  $ galley session export ses_… > talk.jsonl
  $ galley session import talk.jsonl --db other.db
  $ galley session answer ses_… call_… "the second one"
`;
