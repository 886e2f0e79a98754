/**
 * The command line's grammar: names, flags and help. It parses; the commands, each in its own
 * file and imported only when it is the one, do the work.
 */
import { createRequire } from "node:module";
import { Command, InvalidArgumentError, Option } from "commander";
import { STAGES } from "../pipeline/pipeline.ts";
import { addLater, type Run } from "./grammar.ts";
import type { Io } from "./io.ts";
import { addQueueCommands } from "./queue-program.ts";
import { addSessionCommands } from "./session-program.ts";

export type Program = {
  readonly command: Command;
  /** What the parser printed, such as help. */
  printed(): string;
  exitCode(): number;
};

export function buildProgram(io: Io): Program {
  const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
  let printed = "";
  let code = 0;
  const program = new Command("galley")
    .description("Composes messages, proofs what a model would get, and holds conversations.")
    .version(version, "--version", "the version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        printed += text;
      },
      // Complaints are thrown, and told in one line by whoever catches them.
      writeErr: () => undefined,
    })
    .configureHelp({ showGlobalOptions: true })
    .option("--workspace <dir>", "the folder that references are read from (default: here)")
    .option("--config <file>", "this configuration instead of the project's and the user's")
    .option("--model <provider/model>", "the model (default: GALLEY_MODEL, the configuration)")
    .option("--db <file>", "where sessions are kept (default: galley.db in GALLEY_HOME)")
    .addHelpText("after", FIRST);

  const run =
    (work: (command: Command) => Promise<number>) =>
    async (...given: unknown[]): Promise<void> => {
      // The parser hands the command over last, after its words and flags.
      code = await work(given.at(-1) as Command);
    };

  addMessageCommands(program, io, run);
  addSessionCommands(program, io, run);
  addQueueCommands(program, io, run);
  addLookingCommands(program, io, run);
  addLater(program, LATER, "galley");
  return { command: program, printed: () => printed, exitCode: () => code };
}

const FIRST = `
Try first:
  $ galley compose "What does this do?" --ref README.md:1-20
  $ galley compose "What is in it?" --attach picture.png | galley proof --all
  $ galley send "Hello" --model rehearsal/default
  $ galley session list
  $ galley serve
`;

function addMessageCommands(program: Command, io: Io, run: Run): void {
  withWords(program.command("compose").argument("[text...]", "the words of the message"))
    .description("text, references and files to the typed user message, as JSON")
    .option("--json", "JSON is what it prints anyway")
    .addHelpText("after", COMPOSE_HELP)
    .action(
      run(async (command) => {
        const { runCompose } = await import("./compose.ts");
        return runCompose(command.args, command.optsWithGlobals(), io);
      }),
    );

  program
    .command("proof")
    .argument("[file]", "a message in JSON, or plain text; - or nothing reads standard input")
    .description("the dry run: what would be sent, to the byte; nothing is sent")
    .addOption(new Option("--stage <stage>", "only what this stage made").choices(STAGES))
    .option("--all", "an array, one entry for each built-in provider")
    .option("--text <text>", "this text instead of a file")
    .option("--plain", PLAIN)
    .option("-s, --session <id>", "in a session (not yet)")
    .option("--json", "JSON is what it prints anyway")
    .addHelpText("after", PROOF_HELP)
    .action(
      run(async (command) => {
        const { runProof } = await import("./proof.ts");
        return runProof(command.args[0], command.optsWithGlobals(), io);
      }),
    );

  withWords(program.command("send").argument("<text...>", "the words of the message"))
    .description("sends a message in a session, a new one unless named, and streams the answer")
    .option("-s, --session <id>", "in this session")
    .option("--once", "outside any session: nothing is stored")
    .option("--json", "one UI message chunk a line")
    .addHelpText("after", SEND_HELP)
    .action(
      run(async (command) => {
        const { runSend } = await import("./send.ts");
        return runSend(command.args, command.optsWithGlobals(), io);
      }),
    );
}

/** Not variadic: `--ref a text` must leave the text alone. */
const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const PLAIN = "the text as it is: no commands and mentions are looked for in it";

const withWords = (command: Command): Command =>
  command
    .option("--plain", PLAIN)
    .option("--ref <file[:a-b]>", "a file or folder by reference; repeatable", collect, [])
    .option("--attach <file>", "a file with its bytes; repeatable", collect, [])
    .option("--editor-context <json>", "{kind, payload, source?}; repeatable", collect, []);

function addLookingCommands(program: Command, io: Io, run: Run): void {
  program
    .command("commands")
    .argument("[prefix]", "only those that begin with this")
    .description("what can be typed behind a /: built-in, of the project, your own, skills")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  $ galley commands\n  $ galley commands re --json\n")
    .action(
      run(async (command) => {
        const { runCommands } = await import("./list-commands.ts");
        return runCommands(command.args[0], command.optsWithGlobals(), io);
      }),
    );

  program
    .command("models")
    .argument("[provider]", "only the models of this provider")
    .description("what each model can take, and where that is known from")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  $ galley models anthropic\n  $ galley models --json\n")
    .action(
      run(async (command) => {
        const { runModels } = await import("./models.ts");
        return runModels(command.args[0], command.optsWithGlobals(), io);
      }),
    );

  program
    .command("doctor")
    .description("what is set up, what is missing, what to do")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  $ galley doctor\n  $ galley doctor --json\n")
    .action(
      run(async (command) => {
        const { runDoctor } = await import("./doctor.ts");
        return runDoctor(command.optsWithGlobals(), io);
      }),
    );

  program
    .command("serve")
    .description("the HTTP API and its start page, over the sessions of one database")
    .option("--port <number>", "0 takes any free one", portOf, 4747)
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .addHelpText("after", "\nExamples:\n  $ galley serve\n  $ galley serve --port 0\n")
    .action(
      run(async (command) => {
        const { runServe } = await import("./serve.ts");
        return runServe(command.optsWithGlobals(), io);
      }),
    );
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}

/** Announced and not built. */
const LATER = ["acp", "mcp", "skill", "memory", "complete", "refactor"];

const COMPOSE_HELP = `
In the text: @FILE, @FILE:10-25, @skill:NAME and @selection stand for what they name, /NAME at the
start of a line is a command (galley commands); --plain leaves them as they are.
Ranges: FILE:10-25, FILE:10, FILE#L10-L25, FILE#10-25, FILE#L10:25. A file of exactly that name wins.

Examples:
  $ galley compose "Why does this loop end?" --ref src/loop.ts:10-25
  $ galley compose "Why does @src/loop.ts:10-25 end?"
  $ galley compose "Describe it" --attach photo.png > message.json
  $ galley compose "Shorter" --editor-context '{"kind":"selection","payload":{"text":"…"}}'
`;

const PROOF_HELP = `
Examples:
  $ galley compose "Hi" --attach a.pdf | galley proof --model anthropic/claude-opus-5-5
  $ galley proof message.json --all
  $ galley proof --text "Hello" --stage wire
`;

const SEND_HELP = `
Ctrl-C ends the turn and keeps what was said; a second one leaves at once. The answer of a message
that waits in the queue is printed when its turn comes.

Examples:
  $ galley send "Hello"
  $ galley send -s ses_… "And then?"
  $ galley send "What is this?" --attach photo.png --model openai/gpt-6.1-sol
  $ galley send "Hello" --json | jq -r 'select(.type=="text-delta").delta'
`;
