/**
 * Bad input to every command: one line, the right code, nothing written. Rows marked `door` run as
 * child processes through the real door, one for each command and kind of bad input; the others
 * run the same command line in this process, because a process costs as much as a hundred rows.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, symlink, truncate } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { memoryIo } from "../testing/memory-io.ts";
import { type Ended, fingerprint, runGalley } from "../testing/run-galley.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { runCli } from "./main.ts";

type Row = {
  readonly words: readonly string[];
  readonly code: 1 | 2;
  readonly says: RegExp;
  readonly door: boolean;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** As somebody whom file modes bind: they do not bind root. */
  readonly bound?: true;
  /** Refused by a session or for want of one: the database is opened to know. */
  readonly opens?: true;
};
type More = Pick<Row, "stdin" | "env" | "bound" | "opens">;
type Line = string | readonly string[];

const wordsOf = (line: Line): readonly string[] =>
  typeof line === "string" ? line.split(" ") : line;

const row = (line: Line, code: 1 | 2, says: RegExp, more: More = {}): Row => ({
  words: wordsOf(line),
  code,
  says,
  door: false,
  ...more,
});
const door = (...given: Parameters<typeof row>): Row => ({ ...row(...given), door: true });

const OPUS = "anthropic/claude-opus-5-5";
const KEY = { ANTHROPIC_API_KEY: "sk-hidden" };
const OPENS = { opens: true } as const;

const TABLE: readonly Row[] = [
  door("nonsense", 2, /unknown command 'nonsense'/),
  door("compose --nonsense", 2, /unknown option '--nonsense'/),
  row("compose", 2, /nothing to compose/),
  row(["compose", ""], 1, /there is nothing in the message/),
  door("compose hi --attach none.png", 1, /attachment none\.png: no such file/),
  door("compose hi --attach folder", 1, /attachment folder: is a directory/),
  door("compose hi --attach /dev/zero", 1, /attachment \/dev\/zero: not a regular file/),
  row("compose hi --attach pipe", 1, /attachment pipe: not a regular file/),
  door("compose hi --attach huge", 1, /huge is 1073741824 bytes, more than the 33554432/),
  door("compose hi --attach locked", 1, /attachment locked: permission denied/, { bound: true }),
  door("compose hi --editor-context {", 1, /the editor context is not one: it is not JSON/),
  row("compose hi --editor-context 3", 1, /it is not a JSON object/),
  door("compose hi --editor-context {}", 1, /not a user message: parts\.1\.kind/),
  row("compose hi --workspace none", 1, /workspace none: no such folder/),
  row("compose hi --workspace text.txt", 1, /workspace text\.txt: not a folder/),
  row("compose hi --config none.toml", 1, /configuration .*none\.toml: no such file/),
  door("compose hi --config broken.toml", 1, /broken\.toml:2: not TOML/),
  row("compose hi --config wrong.toml", 1, /wrong\.toml:2: providers\.a\.base_url: /),

  door("proof none.json", 1, /message none\.json: no such file/),
  door("proof folder", 1, /message folder: is a directory/),
  door("proof /dev/zero", 1, /message \/dev\/zero: not a regular file/),
  row("proof pipe", 1, /not a regular file; to read from a pipe, give -/),
  door("proof huge", 1, /the file huge is 1073741824 bytes, more than the 50331648/),
  door("proof locked", 1, /message locked: permission denied/, { bound: true }),
  row("proof", 1, /standard input is not a message: it is empty/),
  door("proof -", 1, /it is not JSON \(.*--text/, { stdin: '{"role": "user", "parts": [' }),
  row("proof broken.json", 1, /broken\.json is not a message: it is not JSON/),
  row("proof -", 1, /it is JSON but not a user message/, { stdin: '{"hello": "world"}' }),
  row("proof -", 1, /it is JSON but not a user message/, { stdin: "[1, 2]" }),
  door("proof -", 1, /parts\.0\.text: /, { stdin: '{"role":"user","parts":[{"type":"text"}]}' }),
  row("proof -", 1, /neither JSON nor text/, { stdin: new Uint8Array([0xff, 0xfe, 0x80]) }),
  door("proof - --config small.toml", 1, /standard input is larger than the 10 bytes/, {
    stdin: "x".repeat(5_000_000),
  }),
  row("proof --text hi --stage nonsense", 2, /argument 'nonsense' is invalid/),
  row("proof text.txt --text hi", 2, /either a FILE or --text/),
  row("proof --text hi --all --model foo/bar", 2, /leave out --model/),
  door("proof --text hi --model anthropik/claude-opus-5-5", 1, /provider anthropik is not known/),
  row(
    "proof --text hi --model anthropic/claude-opus-5.5",
    1,
    /near to it: anthropic\/claude-opus-5-5/,
  ),
  row("proof --text hi --model acp/other", 1, /not available yet/),
  row("proof --text hi --session ses_1", 1, /a session \(--session\) is not available yet/),
  row("proof --text hi", 1, /ANTHROPIC_BASE_URL: must be an http/, {
    env: { ...KEY, ANTHROPIC_BASE_URL: "nowhere" },
  }),

  row("send", 2, /missing required argument 'text'/),
  door(`send hi --model ${OPUS}`, 1, /anthropic needs a key: set ANTHROPIC_API_KEY/),
  door("send hi -s ses_1", 1, /there is no session ses_1/, OPENS),
  row("send hi -s ../x", 1, /there is no session/, OPENS),
  row("send --once -s ses_1 hi", 2, /--once is outside any session/),
  row("send hi --db postgres://h/d", 1, /PostgreSQL database is not available yet/),
  row(["send", " "], 1, /there is nothing in the message/),
  door("send --once /compact", 1, /\/compact is a host action and needs a session/),
  row("send /compact", 1, /\/compact is not available yet/, OPENS),
  row("send /rename", 1, /\/rename: title is missing \(usage: \/rename <title>\)/, OPENS),
  door("send hi --attach none.png", 1, /attachment none\.png: no such file/),
  door("send hi --attach huge", 1, /huge is 1073741824 bytes/),
  door("send hi --model nobody/x", 1, /provider nobody is not known/),
  row(`send --once hi --model ${OPUS}`, 1, /cannot reach http:\/\/127\.0\.0\.1:1\//, {
    env: { ...KEY, ANTHROPIC_BASE_URL: "http://127.0.0.1:1" },
  }),
  row(`send hi --model ${OPUS} --workspace untrusted`, 1, /came with the project and wants/, {
    env: KEY,
  }),

  door("models nobody", 1, /there are no models of nobody/),
  row("commands a b", 2, /too many arguments/),
  row("models a b", 2, /too many arguments/),
  door("doctor --config none.toml", 1, /none\.toml: no such file/),
  row("doctor extra", 2, /too many arguments/),
  row("serve --port 99999", 2, /A port is a number from 0 to 65535/),
  door("serve --port x", 2, /A port is a number from 0 to 65535/),
  row("serve --port 0", 1, /GALLEY_TOKEN: must be 16 to 256/, { env: { GALLEY_TOKEN: "short" } }),

  row("session diff ses_1", 1, /galley session diff is not available yet/),
  row("session rewind ses_1", 2, /missing required argument 'message'/),
  row("session fork ses_1", 1, /there is no session ses_1/, OPENS),
  row("session nonsense", 2, /unknown command 'nonsense'/),
  row("session show", 2, /missing required argument 'session'/),
  row("session show ses_1", 1, /there is no session ses_1/, OPENS),
  row("session delete ses_1", 1, /there is no session ses_1/, OPENS),
  row("session export ses_1", 1, /there is no session ses_1/, OPENS),
  row("session list --limit 0", 2, /It is a number from 1/),
  door("session import none.jsonl", 1, /export none\.jsonl: no such file/),
  row("session import folder", 1, /export folder: is a directory/),
  row("session import /dev/zero", 1, /export \/dev\/zero: not a regular file/),
  row("session import huge", 1, /huge is larger than the 524288000 bytes/),
  door("session import broken.json", 1, /line 1/, OPENS),
  row("session import -", 1, /line 1/, { stdin: '{"type":"part"}\n', ...OPENS }),
  row("session answer ses_1 call_1", 2, /give --allow, --deny/),
  row("session answer ses_1 call_1 --allow --deny", 2, /give --allow, --deny/),
  row("session answer ses_1 call_1 --answers {", 2, /--answers is not JSON/),
  row("session answer ses_1 call_1 --answers [1]", 2, /one list for each question/),
  row("session answer ses_1 call_1 yes", 1, /there is no session ses_1/, OPENS),
  row("session retry ses_1", 1, /there is no session ses_1/, OPENS),
  row("session abort ses_1", 1, /there is no session ses_1/, OPENS),
  row("queue list ses_1", 1, /there is no session ses_1/, OPENS),
  row("queue move ses_1 msg_1", 2, /--before or --after/),
  row(["queue", "edit", "ses_1", "msg_1", " "], 1, /there is nothing in the message/),
  row("queue cancel ses_1 msg_1", 1, /there is no (?:session|message)/, OPENS),
  row("context ses_1", 1, /there is no session ses_1/, OPENS),
];

const NOBODY = 65_534;

describe("bad input", () => {
  let folder = "";
  let home = "";
  let opened = "";
  const ended = new Map<Row, Promise<Ended>>();
  const cleanups: (() => unknown)[] = [];
  let first = "";

  before(async () => {
    const t = { after: (call: () => unknown) => void cleanups.push(call) };
    home = await tempFolder(t);
    opened = await tempFolder(t);
    folder = await tempFolder(t, {
      "text.txt": "one\ntwo\n",
      "folder/a.txt": "a",
      "broken.json": "{",
      "broken.toml": '\nmodel = "a\n',
      "wrong.toml": '[providers.a]\nbase_url = "x"\n',
      "small.toml": "[limits]\nmessage_bytes = 10\n",
      locked: "secret",
      huge: "",
      "untrusted/.agents/galley.toml":
        '[providers.anthropic]\nbase_url = "https://away.example.com"\n',
    });
    await truncate(join(folder, "huge"), 1024 ** 3);
    await chmod(join(folder, "locked"), 0);
    // Whoever runs the bound rows must get as far as the file.
    await Promise.all([chmod(folder, 0o755), chmod(home, 0o755)]);
    execFileSync("mkfifo", [join(folder, "pipe")]);
    await symlink("text.txt", join(folder, "link"));
    first = (await fingerprint(folder)) + (await fingerprint(home));
    startAll();
  });
  after(async () => {
    for (const cleanup of cleanups) await cleanup();
  });

  /** Children a few at a time and in order; each test waits for its own. */
  function startAll(): void {
    const lanes = Array.from({ length: availableParallelism() }, () => Promise.resolve());
    TABLE.filter((each) => each.door).forEach((each, index) => {
      const lane = index % lanes.length;
      const made = (lanes[lane] ?? Promise.resolve()).then(() => throughDoor(each));
      ended.set(each, made);
      lanes[lane] = made.then(
        () => undefined,
        () => undefined,
      );
    });
  }

  const homeOf = ({ opens }: Row): string => (opens ? opened : home);

  function throughDoor(each: Row): Promise<Ended> {
    const { words, stdin = "", env = {}, bound } = each;
    const uid = bound && process.getuid?.() === 0 ? { uid: NOBODY } : {};
    return runGalley({ words, cwd: folder, home: homeOf(each), stdin, env, ...uid });
  }

  async function inProcess(each: Row): Promise<Ended> {
    const { words, stdin, env } = each;
    const io = memoryIo({ cwd: folder, env: { GALLEY_HOME: homeOf(each), ...env }, stdin });
    const code = await runCli(words, io);
    return { code, signal: null, ...io.printed() };
  }

  for (const each of TABLE) {
    const { words, code, says } = each;
    test(`galley ${words.join(" ")} (${says.source}) ends with ${code} and one line`, async () => {
      const run = await (ended.get(each) ?? inProcess(each));
      assert.match(run.stderr, /^galley: [^\n]+\n$/);
      assert.match(run.stderr, says);
      assert.equal(run.code, code);
      assert.equal(run.stdout, "");
      assert.doesNotMatch(run.stderr, /\n\s+at |sk-hidden|node:internal/);
    });
  }

  test("nothing of it leaves a trace in the workspace or the home folder", async () => {
    await Promise.all(ended.values());
    assert.equal((await fingerprint(folder)) + (await fingerprint(home)), first);
  });

  test("where the database had to be opened, there is no session in it", async () => {
    await Promise.all(ended.values());
    const io = memoryIo({ cwd: folder, env: { GALLEY_HOME: opened } });
    assert.equal(await runCli(["session", "list", "--all", "--json"], io), 0);
    assert.equal(io.printed().stdout, "[]\n");
  });
});
