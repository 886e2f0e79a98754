/** Conversations from the command line, in this process, against a scripted model. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cliIn, sessionIn, until } from "./test-cli.ts";

test("send begins a session, tells its id at the end, and -s goes on in it", async (t) => {
  const { galley, model } = await cliIn(t, [{ say: "Hello." }, { say: "Again." }]);
  const first = await galley("send", "hi", "there");
  assert.deepEqual([first.code, first.stdout], [0, "Hello.\n"]);
  assert.match(first.stderr, /^session ses_\w{26}\n$/);
  const id = sessionIn(first.stderr);
  const second = await galley("send", "-s", id, "more");
  assert.deepEqual(second, { code: 0, stdout: "Again.\n", stderr: "" });
  const { messages } = JSON.parse(new TextDecoder().decode(model.received[1]?.body));
  assert.deepEqual(
    messages.map((each: { role: string }) => each.role),
    ["user", "assistant", "user"],
  );
});

test("--json prints one chunk a line, from start to finish", async (t) => {
  const { galley } = await cliIn(t, [{ say: "Hello." }]);
  const { code, stdout } = await galley("send", "hi", "--json");
  const chunks = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(code, 0);
  assert.deepEqual([chunks.at(0).type, chunks.at(-1).type], ["start", "finish"]);
});

test("references and attachments are read here and arrive as parts", async (t) => {
  const files = { "a.txt": "one\ntwo\nthree\n", "b.txt": "attached" };
  const { galley, model } = await cliIn(t, [{ say: "ok" }], files);
  await galley("send", "look", "--ref", "a.txt:2", "--attach", "b.txt");
  const sent = new TextDecoder().decode(model.received[0]?.body);
  assert.match(sent, /two/);
  assert.doesNotMatch(sent, /three/);
  assert.match(sent, /attached/);
});

test("--once is outside any session and leaves nothing", async (t) => {
  const { galley } = await cliIn(t, [{ say: "Hello." }]);
  assert.deepEqual(await galley("send", "--once", "hi"), {
    code: 0,
    stdout: "Hello.\n",
    stderr: "",
  });
  const listed = JSON.parse((await galley("session", "list", "--json")).stdout);
  assert.deepEqual(listed, []);
  const both = await galley("send", "--once", "-s", "ses_1", "hi");
  assert.deepEqual(
    [both.code, both.stderr],
    [2, "galley: --once is outside any session (see galley --help)\n"],
  );
});

test("list, show, archive and delete show and change what is kept", async (t) => {
  const { galley } = await cliIn(t, [{ say: "Hello." }]);
  const id = sessionIn((await galley("send", "what a day")).stderr);
  const listed = await galley("session", "list");
  assert.match(listed.stdout, new RegExp(`^session +used +model +title\n${id} .* what a day\n$`));
  const shown = await galley("session", "show", id);
  assert.match(shown.stdout, /what a day[\s\S]*-- user +msg_[\s\S]*-- assistant [\s\S]*Hello\.\n$/);
  const whole = JSON.parse((await galley("session", "show", id, "--json")).stdout);
  assert.deepEqual(Object.keys(whole), ["session", "status", "messages", "queue"]);
  assert.equal((await galley("session", "archive", id)).code, 0);
  assert.equal((await galley("session", "list", "--json")).stdout, "[]\n");
  assert.match((await galley("session", "list", "--all")).stdout, /\(archived\)/);
  const refused = await galley("send", "-s", id, "hi");
  assert.deepEqual([refused.code, refused.stderr.split("\n").length], [1, 2]);
  assert.match(refused.stderr, /is archived/);
  assert.equal((await galley("session", "archive", id, "--undo")).code, 0);
  assert.equal((await galley("session", "delete", id)).code, 0);
  const gone = await galley("session", "show", id);
  assert.deepEqual([gone.code, gone.stdout], [1, ""]);
  assert.match(gone.stderr, /^galley: there is no session [^\n]*\n$/);
});

test("an export that is imported elsewhere is exported to the same bytes", async (t) => {
  const { galley, start } = await cliIn(t, [{ say: "Hello." }], { "a.txt": "x".repeat(1_500_000) });
  const id = sessionIn((await galley("send", "keep", "--attach", "a.txt")).stderr);
  const exported = await galley("session", "export", id);
  assert.equal(exported.code, 0);
  assert.match(exported.stdout, /^\{"type":"session"[\s\S]*\{"type":"blob"[^\n]*\n$/);
  const imported = await start(["session", "import", "--db", "other.db"], exported.stdout).ended;
  assert.deepEqual([imported.code, imported.stdout], [0, `${id}\n`]);
  const again = await galley("session", "export", id, "--db", "other.db");
  assert.equal(again.stdout === exported.stdout, true);
  const twice = await start(["session", "import", "-", "--db", "other.db"], exported.stdout).ended;
  assert.equal(twice.code, 1);
  assert.match(twice.stderr, /^galley: [^\n]*line 1[^\n]*\n$/);
});

test("context is what the last request held, as a table or as JSON", async (t) => {
  const { galley } = await cliIn(t, [{ say: "Hello." }]);
  const none = await galley("context");
  assert.deepEqual([none.code, none.stdout], [1, ""]);
  assert.match(none.stderr, /^galley: there is no session yet[^\n]*\n$/);
  const id = sessionIn((await galley("send", "hi")).stderr);
  const shown = await galley("context");
  assert.match(
    shown.stdout,
    /^turn 1, round 1: about \d+ tokens, \d+ % of \d+[^\n]*\n\ntokens +kind/,
  );
  const { turn, manifest } = JSON.parse((await galley("context", id, "--json")).stdout);
  assert.deepEqual([turn, manifest.over_limit], [1, false]);
});

test("host actions act on the session and start no turn", async (t) => {
  const { galley, model } = await cliIn(t, [{ say: "Hello." }]);
  const id = sessionIn((await galley("send", "hi")).stderr);
  const renamed = await galley("send", "-s", id, "/rename A better name");
  assert.deepEqual(renamed, { code: 0, stdout: '{\n  "title": "A better name"\n}\n', stderr: "" });
  assert.match((await galley("session", "list")).stdout, /A better name/);
  assert.equal(model.received.length, 1);
});

test("a message that is refused leaves no session behind", async (t) => {
  const { galley } = await cliIn(t);
  const refused = await galley("send", "/rename");
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^galley: \/rename: title is missing[^\n]*\n$/);
  assert.equal((await galley("session", "list", "--json")).stdout, "[]\n");
});

test("a turn that fails is one line with what to do, and retry sends the message again", async (t) => {
  const { galley } = await cliIn(t, [{ fault: { status: 400 } } as never, { say: "Here I am." }]);
  const failed = await galley("send", "are you there?");
  assert.deepEqual([failed.code, failed.stdout], [1, ""]);
  assert.match(failed.stderr, /^galley: [^\n]*\(galley session retry ses_\w+ tries again\)\n$/);
  const [, id = ""] = /retry (ses_\w+)/.exec(failed.stderr) ?? [];
  const retried = await galley("session", "retry", id);
  assert.deepEqual(retried, { code: 0, stdout: "Here I am.\n", stderr: "" });
  const nothing = await galley("session", "retry", id);
  assert.match(nothing.stderr, /^galley: no message has failed[^\n]*\n$/);
});

test("a question outlives the command that met it, and its answer goes on with the turn", async (t) => {
  const questions = [{ question: "Which?", options: [{ label: "a" }, { label: "b" }] }];
  const { galley, model } = await cliIn(t, [
    { say: "Let me ask.", toolCalls: [{ name: "question", input: { questions } }] },
    { say: "So b it is." },
  ]);
  const asked = await galley("send", "choose");
  assert.deepEqual([asked.code, asked.stdout], [0, "Let me ask.\n"]);
  assert.match(asked.stderr, /^galley: Which\? \(a \| b\)\ngalley: galley session answer /);
  const [, id = "", call = ""] = /answer (ses_\w+) (\S+) ANSWER/.exec(asked.stderr) ?? [];
  const wrong = await galley("session", "answer", id, call);
  assert.equal(wrong.code, 2);
  const answered = await galley("session", "answer", id, call, "b");
  assert.deepEqual([answered.code, answered.stderr], [0, ""]);
  assert.equal(answered.stdout, "So b it is.\n");
  const sent = new TextDecoder().decode(model.received[1]?.body);
  assert.match(sent, /\\"answers\\":\[\[\\"b\\"\]\]|"answers":\[\["b"\]\]/);
  const again = await galley("session", "answer", id, call, "a");
  assert.match(again.stderr, /^galley: [^\n]* waits for no answer[^\n]*\n$/);
});

test("an interrupt ends the turn and keeps what was said", async (t) => {
  const { start, galley } = await cliIn(t, [
    { say: ["begun ", "and more"], fault: { hang: true, afterEvents: 4 } },
    { say: "Fine." },
  ]);
  const { io, ended } = start(["send", "hi"]);
  await until(() => io.printed().stdout !== "");
  io.interrupt();
  const { code, stdout, stderr } = await ended;
  assert.deepEqual([code, stdout], [130, "begun \n"]);
  const id = sessionIn(stderr);
  const shown = await galley("session", "show", id);
  assert.match(shown.stdout, /-- assistant [^\n]*, stopped\nbegun/);
  assert.deepEqual(await galley("send", "-s", id, "go on"), {
    code: 0,
    stdout: "Fine.\n",
    stderr: "",
  });
});
