/** Host actions, arguments that do not fit and broken files, as people meet them on each surface. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { surfacesIn } from "./test-surfaces.ts";

const COMPACT = "/compact is a host action and needs a session, which there is none of here";

test("without a session, a message of host actions alone is not sent, and says why", async (t) => {
  const { serve } = await surfacesIn(t);
  const { post } = await serve();
  const tried = await post("/v1/try", { text: "/compact" });
  assert.deepEqual(
    [tried.status, tried.body.code, tried.body.detail],
    [422, "compositor.needs_session", `${COMPACT}: nothing was sent`],
  );
  const two = await post("/v1/try", { text: "/compact keep names\n/stop\n" });
  assert.match(two.body.detail, /^\/compact, \/stop are host actions and need a session/);
  const { body: message } = await post("/v1/compose", { text: "/compact" });
  assert.equal((await post("/v1/try", { message })).body.code, "compositor.needs_session");
});

test("an action that fails in a session says so in one line, and nothing is sent", async (t) => {
  const { galley } = await surfacesIn(t);
  assert.deepEqual(await galley(["send", "/compact"]), {
    code: 1,
    stdout: "",
    stderr: "galley: /compact failed: /compact is not available yet\n",
  });
});

test("an action beside words is run, and only the words are sent", async (t) => {
  const { galley } = await surfacesIn(t);
  const { code, stdout, stderr } = await galley(["send", "/context\nhello there"]);
  assert.equal(code, 0);
  assert.doesNotMatch(stderr, /not run/);
  assert.match(stdout, /hello there/);
  assert.doesNotMatch(stdout, /\/context/);
});

test("over HTTP the notes on what is tried stand at the start of the answer", async (t) => {
  const { serve } = await surfacesIn(t);
  const { stream } = await serve();
  const chunksOf = async (text: string) =>
    (await stream("/v1/try", { text })).split("\n\n").filter((line) => line.includes('"start"'));
  const [start = ""] = await chunksOf("/foo hello");
  assert.deepEqual(JSON.parse(start.slice("data: ".length)).messageMetadata.notes, [
    {
      code: "unknown-command",
      message: "/foo is not a command here: it is sent as it was typed",
      part: 0,
    },
  ]);
  const [plain = ""] = await chunksOf("hello");
  assert.equal(plain.includes("messageMetadata"), false);
});

test("explained, a message comes with its notes, its actions and whether it fires", async (t) => {
  const { serve } = await surfacesIn(t);
  const { post } = await serve();
  const { body } = await post("/v1/compose?explain=true", { text: "/compact keep names" });
  const { message, notes, actions, turn } = body;
  assert.equal(turn, false);
  assert.equal(message.metadata.turn, false);
  assert.deepEqual(actions, [
    {
      part: 0,
      id: "/compact",
      action: "compact",
      args: {
        raw: "keep names",
        argv: ["keep", "names"],
        named: { instructions: "keep names" },
      },
      state: "not-run",
    },
  ]);
  assert.deepEqual(
    notes.map(({ message: says }: { message: string }) => says),
    [
      "/compact was not run here",
      "a message of host actions alone starts no turn: nothing of it is sent to a model",
    ],
  );
  const plain = await post("/v1/compose?explain=false", { text: "/compact keep names" });
  assert.deepEqual(plain.body, message);
  const wrong = await post("/v1/compose?explain=maybe", { text: "hi" });
  assert.deepEqual([wrong.status, wrong.body.code], [422, "http.bad_shape"]);
});

test("an argument that does not fit is refused with the usage", async (t) => {
  const { galley, serve } = await surfacesIn(t, {
    ".agents/commands/wait.md": "---\narguments:\n  - name: days\n    type: integer\n---\n$1",
  });
  const { code, stderr } = await galley(["compose", "/wait long"]);
  assert.deepEqual(
    [code, stderr],
    [1, 'galley: /wait: days is "long", not a whole number (usage: /wait [days])\n'],
  );
  const { post } = await serve();
  const { status, body } = await post("/v1/compose", { text: "/wait long" });
  assert.deepEqual([status, body.code], [422, "compose.bad-argument"]);
});

test("a shell slot is a placeholder, and nothing runs", async (t) => {
  const { galley } = await surfacesIn(t, {
    ".claude/commands/now.md": "Today: !`touch ran.txt` and more",
    ".gemini/commands/then.toml": "prompt = 'Then: !{touch ran.txt}'",
  });
  const { stdout, stderr } = await galley(["compose", "/now\n/then"]);
  const texts = JSON.parse(stdout).parts.flatMap(
    ({ expansion }: { expansion?: readonly { text: string }[] }) =>
      expansion?.map(({ text }) => text) ?? [],
  );
  assert.deepEqual(texts, [
    "Today: [shell command not run: no shell here: !`touch ran.txt`] and more",
    "Then: [shell command not run: no shell here: !{touch ran.txt}]",
  ]);
  assert.equal(stderr.split("\n").length, 3);
  assert.equal(
    (await galley(["compose", "x", "--ref", "ran.txt"])).stderr.includes("no such"),
    true,
  );
});

test("a command that is unknown because its file is broken names the file", async (t) => {
  const { galley } = await surfacesIn(t, { ".gemini/commands/fix.toml": "prompt = 3" });
  const { stderr } = await galley(["compose", "/fix it"]);
  assert.deepEqual(stderr.split("\n").slice(0, 2), [
    "galley: note: /fix is not a command here: it is sent as it was typed",
    "galley: note: .gemini/commands/fix.toml:1: `prompt` is not text",
  ]);
});

test("commands that expand past the limit of a message are refused", async (t) => {
  const { galley } = await surfacesIn(t, {
    ".agents/commands/long.md": "x".repeat(200),
    ".agents/galley.toml": "[limits]\nmessage_bytes = 1000\n",
  });
  const { code, stderr } = await galley(["compose", "/long\n".repeat(6)]);
  assert.equal(code, 1);
  assert.match(stderr, /^galley: the commands of the message expand to more than the 1000 bytes/);
  assert.equal((await galley(["compose", "/long\n".repeat(5)])).code, 0);
});
