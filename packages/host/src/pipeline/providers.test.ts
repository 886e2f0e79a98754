import assert from "node:assert/strict";
import { test } from "node:test";
import { checkConfig } from "../config/read-config.ts";
import type { Scope, Settings } from "../config/settings.ts";
import { checkTrust, isLoopback, keyOf, maskHeaders, providerOf } from "./providers.ts";

const settings = (scope: Scope, toml: string, projectTrusted = false): Settings => ({
  model: undefined,
  layers: [{ scope, file: "galley.toml", config: checkConfig(toml, "galley.toml").config }],
  warnings: [],
  looked: [],
  projectTrusted,
  limits: { attachment_bytes: 1, message_bytes: 1 },
});
const none = settings("user", "");
const AWAY = '[providers.anthropic]\nbase_url = "https://away.example.com"\n';
const NEAR = '[providers.anthropic]\nbase_url = "http://127.0.0.1:9"\n';
const KEY = { ANTHROPIC_API_KEY: "k" };

const open = (given: Settings, env: Record<string, string>) => {
  const provider = providerOf("anthropic", given, env);
  const key = keyOf(provider, env);
  checkTrust(provider, key, given);
  return key;
};

test("the address comes from the environment, then the configuration, then what is built in", () => {
  const env = { ANTHROPIC_BASE_URL: "https://env.example.com" };
  const url = (given: Settings, from = {}) => providerOf("anthropic", given, from).baseUrl.value;
  assert.equal(url(settings("user", AWAY), env), "https://env.example.com");
  assert.equal(url(settings("user", AWAY)), "https://away.example.com");
  assert.equal(url(none), "https://api.anthropic.com");
});

test("a provider without an address, and an address that is none, are refused", () => {
  assert.throws(() => providerOf("mine", none, {}), /the provider mine has no address/);
  const env = { ANTHROPIC_BASE_URL: "nowhere" };
  assert.throws(
    () => providerOf("anthropic", none, env),
    /^GalleyError: ANTHROPIC_BASE_URL: must be/,
  );
});

test("a missing key is named by its variable, and needed everywhere but on this machine", () => {
  assert.throws(() => open(none, {}), /anthropic needs a key: set ANTHROPIC_API_KEY/);
  assert.throws(() => open(settings("user", AWAY), {}), /needs a key/);
  assert.equal(open(settings("user", NEAR), {}), undefined);
  assert.equal(open(settings("user", NEAR), KEY), "k");
  assert.equal(open(settings("user", `${AWAY}api_key_env = ""\n`), KEY), undefined);
  const other = settings("user", `${AWAY}api_key_env = "OTHER"\n`);
  assert.throws(() => open(other, KEY), /set OTHER/);
  assert.equal(open(other, { OTHER: " o \n" }), "o");
});

test("a key that no header may carry is refused without being quoted", () => {
  assert.throws(
    () => open(none, { ANTHROPIC_API_KEY: "sk-\u00e4\nsecret" }),
    (error: Error) =>
      /ANTHROPIC_API_KEY is not a key/.test(error.message) && !/secret/.test(error.message),
  );
});

test("a project's own file gets neither key nor text sent to its address, unless it is trusted", () => {
  assert.throws(
    () => open(settings("project", AWAY), KEY),
    /wants to have your key sent to away\.example\.com/,
  );
  assert.equal(open(settings("project", AWAY, true), KEY), "k");
  assert.equal(open(settings("chosen", AWAY), KEY), "k");
  const keyless = `${AWAY}api_key_env = ""\n`;
  assert.throws(
    () => open(settings("project", keyless), {}),
    /wants to have your messages and files sent to away\.example\.com/,
  );
  assert.equal(open(settings("project", keyless, true), {}), undefined);
  // Anybody on this machine may listen there: a server without a key is all that is taken on trust.
  assert.throws(() => open(settings("project", NEAR), KEY), /wants to have your key sent/);
  assert.equal(open(settings("project", NEAR), {}), undefined);
  const takes = settings("project", '[providers.anthropic]\napi_key_env = "HOME_SECRET"\n');
  assert.throws(
    () => open(takes, { HOME_SECRET: "s" }),
    /wants to have the value of HOME_SECRET sent/,
  );
});

test("loopback is this machine and nothing that sounds like it", () => {
  for (const url of [
    "http://127.0.0.1:1",
    "http://localhost",
    "http://[::1]:2/x",
    "http://127.9.9.9",
  ]) {
    assert.equal(isLoopback(url), true, url);
  }
  for (const url of [
    "http://127.0.0.1.example.com",
    "http://localhost.example.com",
    "http://10.0.0.1",
  ]) {
    assert.equal(isLoopback(url), false, url);
  }
});

test("header values are masked unless they are known to be no secret", () => {
  assert.deepEqual(maskHeaders({ authorization: "Bearer x", "user-agent": "u", "x-thing": "y" }), {
    authorization: "***",
    "user-agent": "u",
    "x-thing": "***",
  });
});
