import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultModel } from "../catalogue/lookup.ts";
import { OPENAI_BASE_URL, postTo } from "./endpoint.ts";

const urlFor = (baseUrl: string): string =>
  postTo("/responses", { profile: defaultModel("openai"), baseUrl, stream: true }).url;

test("a base address is taken with its version, without it, and with slashes at its end", () => {
  assert.equal(urlFor(OPENAI_BASE_URL), "https://api.openai.com/v1/responses");
  assert.equal(urlFor("https://api.openai.com"), "https://api.openai.com/v1/responses");
  assert.equal(urlFor("http://localhost:11434//"), "http://localhost:11434/v1/responses");
  assert.equal(urlFor("https://host/api/v1/"), "https://host/api/v1/responses");
  assert.equal(urlFor("https://host/v1beta/openai"), "https://host/v1beta/openai/responses");
});

test("an address that names the endpoint is taken as it is", () => {
  assert.equal(urlFor("https://host/responses"), "https://host/responses");
});
