import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlainHeader, withoutSecrets } from "./secrets.ts";

test("the value of every header that is not known to be plain is masked", () => {
  const headers = {
    Authorization: "Bearer sk-abc",
    "x-portal-pass": "hunter2",
    "User-Agent": "galley",
    "x-flag": "1",
  };
  assert.equal(
    withoutSecrets("Bearer sk-abc by galley, hunter2, 1 time", headers),
    "Bearer *** by galley, ***, 1 time",
  );
  assert.deepEqual(["Accept", "x-api-key"].map(isPlainHeader), [true, false]);
});

test("a password is masked in every spelling that an echo may have", () => {
  const basic = Buffer.from('me:pa"ss').toString("base64");
  const headers = { authorization: `Basic ${basic}` };
  for (const said of [basic, 'me:pa"ss', 'pa"ss', 'pa\\"ss'])
    assert.equal(withoutSecrets(`<${said}>`, headers), "<***>");
});

test("a key that the provider shortened by itself is masked as a whole", () => {
  const headers = { "x-api-key": "sk-proj-0123456789abcdef" };
  const said = "Incorrect key: sk-proj-********cdef. See the page";
  assert.equal(withoutSecrets(said, headers), "Incorrect key: *** See the page");
});
