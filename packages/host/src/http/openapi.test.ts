/** The description against the router's own list, and against itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { ProofAnswer } from "./answers.ts";
import { createApp } from "./app.ts";
import { smallPipeline } from "./small-pipeline.ts";
import { serverFor } from "./test-server.ts";
import { sessionServer } from "./test-sessions.ts";

const app = createApp({
  pipeline: smallPipeline(),
  assets: new Map(),
  host: "127.0.0.1",
  token: "t",
  maxBody: 100,
  stopping: new AbortController().signal,
  isClosing: () => false,
  report: () => {},
});

type Operation = {
  readonly operationId: string;
  readonly responses: Record<string, unknown>;
  readonly security: unknown;
  readonly requestBody?: unknown;
};
type Description = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, unknown>>;
};

const describe = async (t: Parameters<typeof serverFor>[0]): Promise<Description> =>
  JSON.parse((await (await serverFor(t)).call("/openapi.json")).body);

const describeAll = async (t: Parameters<typeof serverFor>[0]): Promise<Description> =>
  JSON.parse((await (await sessionServer(t)).call("/openapi.json")).body);

test("every route of the router is described, and nothing else is", async (t) => {
  const { paths } = await describe(t);
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routed = app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  assert.deepEqual(described.sort(), routed.sort());
  assert.deepEqual(routed, [
    "GET /",
    "GET /healthz",
    "GET /openapi.json",
    "GET /page/{file}",
    "GET /readyz",
    "GET /v1/commands",
    "GET /v1/mentions",
    "GET /v1/models",
    "POST /v1/compose",
    "POST /v1/proof",
    "POST /v1/try",
  ]);
});

const SESSION_ROUTES = [
  "DELETE /v1/sessions/{id}",
  "DELETE /v1/sessions/{id}/pins/{pin_id}",
  "DELETE /v1/sessions/{id}/queue/{message_id}",
  "GET /metrics",
  "GET /v1/blobs/{content_id}",
  "GET /v1/chat/{id}",
  "GET /v1/chat/{id}/stream",
  "GET /v1/events",
  "GET /v1/sessions",
  "GET /v1/sessions/{id}",
  "GET /v1/sessions/{id}/export",
  "GET /v1/sessions/{id}/manifests",
  "GET /v1/sessions/{id}/manifests/{turn}",
  "GET /v1/sessions/{id}/messages",
  "GET /v1/sessions/{id}/pins",
  "GET /v1/sessions/{id}/queue",
  "GET /v1/sessions/{id}/requests/{turn}",
  "GET /v1/sessions/{id}/status",
  "GET /v1/sessions/{id}/stream",
  "GET /v1/sessions/{id}/trace",
  "PATCH /v1/sessions/{id}",
  "PATCH /v1/sessions/{id}/queue/{message_id}",
  "POST /v1/blobs",
  "POST /v1/chat",
  "POST /v1/chat/{id}/stop",
  "POST /v1/import",
  "POST /v1/sessions",
  "POST /v1/sessions/{id}/abort",
  "POST /v1/sessions/{id}/answers",
  "POST /v1/sessions/{id}/compact",
  "POST /v1/sessions/{id}/dismiss",
  "POST /v1/sessions/{id}/fork",
  "POST /v1/sessions/{id}/messages",
  "POST /v1/sessions/{id}/promote",
  "POST /v1/sessions/{id}/resume",
  "POST /v1/sessions/{id}/retry",
  "POST /v1/sessions/{id}/rewind",
  "POST /v1/sessions/{id}/unrewind",
  "PUT /v1/sessions/{id}/pins/{pin_id}",
];

test("a host with sessions describes their calls besides", async (t) => {
  const { paths: without } = await describe(t);
  const { paths } = await describeAll(t);
  const added = Object.entries(paths)
    .filter(([path]) => without[path] === undefined)
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
  assert.deepEqual(added.sort(), SESSION_ROUTES);
});

test("it is OpenAPI 3.1: an info, unique operations, answers for each", async (t) => {
  const { openapi, info, paths } = await describeAll(t);
  assert.match(openapi, /^3\.1\.\d+$/);
  assert.equal(info.title, "Galley");
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const ids = operations.map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, operations.length);
  for (const { responses } of operations) {
    assert.ok(Object.keys(responses).some((status) => /^(2\d\d|501)$/.test(status)));
    assert.ok(Object.keys(responses).every((status) => /^(default|[1-5]\d\d)$/.test(status)));
  }
});

test("calls need the token, and the page and the pulse do not", async (t) => {
  const { paths } = await describe(t);
  assert.deepEqual(paths["/v1/proof"]?.post?.security, [{ token: [] }]);
  assert.deepEqual(paths["/healthz"]?.get?.security, []);
  assert.ok(paths["/v1/models"]?.get?.responses["401"]);
});

test("every reference leads somewhere inside the document", async (t) => {
  const description = await describeAll(t);
  const refs = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, ref]) => ref ?? "",
  );
  assert.ok(refs.includes("#/components/schemas/UserMessage"));
  const dangling = refs.filter((ref) => at(description, ref) === undefined);
  assert.deepEqual(dangling, []);
});

function at(document: unknown, ref: string): unknown {
  const keys = ref.replace(/^#\//, "").split("/");
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], document);
}

test("every call that takes a body describes it and its refusals", async (t) => {
  const { paths } = await describeAll(t);
  for (const path of ["/v1/compose", "/v1/proof", "/v1/try", "/v1/chat", "/v1/sessions"]) {
    const post = paths[path]?.post;
    assert.ok(post?.requestBody, path);
    for (const status of ["400", "401", "403", "413", "415", "422"]) {
      assert.deepEqual(post?.responses[status], { $ref: "#/components/responses/Problem" });
    }
  }
});

test("the described proof is the one that is answered", async (t) => {
  const { post } = await serverFor(t);
  const answer = JSON.parse((await post("/v1/proof", { text: "hi", all: true })).body);
  assert.equal(z.array(ProofAnswer).safeParse(answer).success, true);
});
