/** The description against the router's own list, and against itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { ProofAnswer } from "./answers.ts";
import { createApp } from "./app.ts";
import { smallPipeline } from "./small-pipeline.ts";
import { serverFor } from "./test-server.ts";

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

test("it is OpenAPI 3.1: an info, unique operations, answers for each", async (t) => {
  const { openapi, info, paths } = await describe(t);
  assert.match(openapi, /^3\.1\.\d+$/);
  assert.equal(info.title, "Galley");
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const ids = operations.map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, operations.length);
  for (const { responses } of operations) {
    assert.ok(Object.keys(responses).includes("200"));
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
  const description = await describe(t);
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
  const { paths } = await describe(t);
  for (const path of ["/v1/compose", "/v1/proof", "/v1/try"]) {
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
