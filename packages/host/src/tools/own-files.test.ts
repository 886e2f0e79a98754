/** The host's own files, asked for by every way in which a tool opens, searches or writes a file. */
import assert from "node:assert/strict";
import { link, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { findSandbox } from "../sandbox/find-sandbox.ts";
import { fileLoader } from "../workspace/loader.ts";
import { keepOwn, OWN, ownPaths } from "../workspace/own-files.ts";
import { readRegular } from "../workspace/read-file.ts";
import { openInside } from "../workspace/roots.ts";
import { changeTools } from "./change-tools.ts";
import { grepTool } from "./grep.ts";
import { readTool } from "./read.ts";
import { bashIn } from "./test-bash.ts";
import { no, placesIn, whole } from "./test-places.ts";

/** A file of the host's in the workspace, under its own name, through a link, and by a second name. */
async function held(t: TestContext) {
  const here = await placesIn(t, { "chat.db": "zebra", "a.txt": "zebra" });
  await symlink("chat.db", join(here.root, "link"));
  await link(join(here.root, "chat.db"), join(here.root, "twin"));
  t.after(keepOwn([join(here.root, "chat.db"), join(here.root, "chat.db-wal")]));
  return here;
}

test("a file of the host's own is refused under every name, to readers and references", async (t) => {
  const { root, places, run } = await held(t);
  for (const name of ["chat.db", "link", "twin"]) {
    assert.deepEqual(await openInside(root, name), { ok: false, reason: OWN });
    assert.deepEqual(await readRegular(join(root, name), 10), { ok: false, reason: OWN });
    assert.deepEqual(await fileLoader(root).read({ kind: "path", path: name }, 10), {
      kind: "unavailable",
      reason: OWN,
    });
    assert.deepEqual(
      await run(readTool(places), { path: name }),
      no(`cannot read ${name}: one of the host's own files`),
    );
  }
  const read = await readRegular(join(root, "chat.db"), 10, "host");
  assert.ok(read.ok);
});

test("a search passes over the host's own files and says so", async (t) => {
  const { places, run } = await held(t);
  assert.deepEqual(
    await run(grepTool(places), { pattern: "zebra" }),
    whole("a.txt\n1: zebra\n\n(not searched: 3 files that cannot be read (chat.db, link, twin))"),
  );
});

test("no tool writes over one of the host's own files, or where one will be", async (t) => {
  const { places, root, run } = await held(t);
  const { write, edit } = changeTools(places);
  for (const path of ["chat.db", "link", "twin", "chat.db-wal"]) {
    assert.match(JSON.stringify(await run(write, { path, content: "x" })), /the host's own files/);
  }
  const wish = { path: "twin", old_text: "zebra", new_text: "x" };
  assert.match(JSON.stringify(await run(edit, wish)), /the host's own files/);
  assert.equal(await readFile(join(root, "chat.db"), "utf8"), "zebra");
});

test("files that are no longer the host's are files like any other", async (t) => {
  const { root } = await placesIn(t, { "chat.db": "zebra" });
  const forget = keepOwn([join(root, "chat.db")]);
  assert.equal((await openInside(root, "chat.db")).ok, false);
  forget();
  assert.deepEqual(
    ownPaths().filter((path) => path.startsWith(root)),
    [],
  );
  assert.equal((await readRegular(join(root, "chat.db"), 10)).ok, true);
});

const found = await findSandbox();
const inside = { skip: found.ok ? false : `no sandbox here: ${found.reason}` };

test(
  "a command finds nothing in the host's own files, in the workspace or beside it",
  inside,
  async (t) => {
    const { root: other } = await placesIn(t, { "deep/beside.db": "zebra" });
    const { bash, root } = await bashIn(t, { "in/chat.db": "zebra" }, { read: [other] });
    t.after(keepOwn([join(root, "in/chat.db"), join(other, "deep/beside.db"), join(root, "none")]));
    for (const path of ["in/chat.db", join(other, "deep/beside.db")]) {
      for (const more of [{}, { changes_files: true }]) {
        assert.doesNotMatch(await bash(`cat ${path}; true`, more), /zebra/);
      }
    }
    const ways = "mv in out; cat out/chat.db; ln in/chat.db x; cat x; cp in/chat.db y; cat y; true";
    assert.doesNotMatch(await bash(ways, { changes_files: true }), /zebra/);
    assert.equal(await readFile(join(root, "in/chat.db"), "utf8"), "zebra");
  },
);
