import assert from "node:assert/strict";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { tokenOf } from "./token.ts";

test("a token is made once, kept for its owner alone, and found again", async (t) => {
  const home = join(await tempFolder(t), "not", "yet");
  const token = await tokenOf(home, {});
  assert.match(token, /^[A-Za-z0-9_-]{32}$/);
  assert.equal(await readFile(join(home, "token"), "utf8"), `${token}\n`);
  assert.equal((await stat(join(home, "token"))).mode & 0o777, 0o600);
  assert.equal(await tokenOf(home, {}), token);
  assert.deepEqual(await readdir(home), ["token"]);
});

test("servers that start at once agree on one token", async (t) => {
  const home = await tempFolder(t);
  const tokens = await Promise.all(Array.from({ length: 8 }, () => tokenOf(home, {})));
  assert.equal(new Set(tokens).size, 1);
});

test("the environment's token wins and is not written down", async (t) => {
  const home = await tempFolder(t);
  assert.equal(await tokenOf(home, { GALLEY_TOKEN: "0123456789abcdef" }), "0123456789abcdef");
  assert.deepEqual(await readdir(home), []);
});

test("a token that others may read is closed to them", async (t) => {
  const home = await tempFolder(t, { token: "0123456789abcdef\n" });
  await chmod(join(home, "token"), 0o644);
  assert.equal(await tokenOf(home, {}), "0123456789abcdef");
  assert.equal((await stat(join(home, "token"))).mode & 0o777, 0o600);
});

test("a token that cannot be sent is refused without being shown", async (t) => {
  const home = await tempFolder(t);
  await writeFile(join(home, "token"), "has spaces in the middle\n");
  await assert.rejects(tokenOf(home, {}), (error: Error) => {
    assert.match(error.message, /token: must be 16 to 256 letters/);
    assert.doesNotMatch(error.message, /spaces/);
    return true;
  });
  await assert.rejects(
    tokenOf(home, { GALLEY_TOKEN: "short" }),
    /^GalleyError: GALLEY_TOKEN: must/,
  );
});
