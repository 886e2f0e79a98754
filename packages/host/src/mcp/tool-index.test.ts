import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tool } from "@galley/turn";
import { toolIndex } from "./tool-index.ts";

const tool = (name: string, description: string): Tool => ({
  definition: { name, description, input_schema: { type: "object" } },
  run: async () => ({ type: "output", data: "" }),
});

const TOOLS = [
  tool("mcp__hub__create_issue", "Opens an issue in a repository."),
  tool("mcp__hub__listIssues", "Lists what is open."),
  tool("mcp__mail__send", "Sends a letter about an issue or anything else to a person."),
  tool("mcp__files__read", "Reads a file."),
];

const find = (query: string, most = 10) =>
  toolIndex(TOOLS)
    .find(query, most)
    .map(({ definition }) => definition.name);

test("names count more than descriptions, and plurals and joined words are the same words", () => {
  assert.deepEqual(find("issues"), [
    "mcp__hub__create_issue",
    "mcp__hub__listIssues",
    "mcp__mail__send",
  ]);
});

test("every word counts, and a rare one counts more", () => {
  assert.deepEqual(find("create an issue", 1), ["mcp__hub__create_issue"]);
  assert.deepEqual(find("LETTER", 1), ["mcp__mail__send"]);
});

test("what fits nothing finds nothing, and no more is found than is wanted", () => {
  assert.deepEqual(find("weather"), []);
  assert.deepEqual(find("$$$"), []);
  assert.equal(find("mcp", 2).length, 2);
});
