import assert from "node:assert/strict";
import { test } from "node:test";
import { openTelemetry } from "./open-telemetry.ts";
import { otelTracer } from "./otel-tracer.ts";

test("an embedder's tracer gets names and ends, with each span in its parent's context", () => {
  const said: unknown[] = [];
  type Context = readonly string[];
  const tracer = otelTracer<Context>({
    context: { active: () => ["root"] },
    trace: { setSpan: (context, span) => [...context, (span as { name: string }).name] },
    tracer: {
      startSpan: (name, { attributes }, context) => {
        said.push(["start", name, attributes, context]);
        return {
          name,
          setAttributes: (more: unknown) => said.push(["set", name, more]),
          setStatus: (status: unknown) => said.push(["status", name, status]),
          end: () => void said.push(["end", name]),
        };
      },
    },
  });
  const turn = tracer.span("session.turn", { turn_index: 2, text: "my words" });
  const call = turn.span("tool.call", { tool_id: "read" });
  call.set({ duration_ms: 3, output: "contents" });
  call.end("the file says: contents");
  call.end();
  turn.end();
  assert.deepEqual(said, [
    ["start", "session.turn", { turn_index: 2 }, ["root"]],
    ["start", "tool.call", { tool_id: "read" }, ["root", "session.turn"]],
    ["set", "tool.call", { duration_ms: 3 }],
    ["status", "tool.call", { code: 2 }],
    ["end", "tool.call"],
    ["end", "session.turn"],
  ]);
});

const urls: string[] = [];
const input = (env: Record<string, string>) => ({
  env,
  fetch: (async (url: unknown, { headers }: RequestInit = {}) => {
    urls.push(`${url} ${JSON.stringify(headers)}`);
    return new Response();
  }) as typeof fetch,
  now: () => 0,
  random: (count: number) => new Uint8Array(count),
  warn: () => undefined,
});

test("nothing is sent unless the environment names a collector", async () => {
  urls.length = 0;
  for (const env of [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: " " },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", OTEL_SDK_DISABLED: "true" },
  ]) {
    const telemetry = openTelemetry(input(env));
    telemetry.tracer.span("session.turn", {}).end();
    await telemetry.close();
  }
  assert.deepEqual(urls, []);
});

test("a collector that the environment names gets the spans, with its headers", async () => {
  urls.length = 0;
  const telemetry = openTelemetry(
    input({
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.test/otlp",
      OTEL_EXPORTER_OTLP_HEADERS: "x-a=1%202, x-b=50%",
    }),
  );
  telemetry.tracer.span("session.turn", {}).end();
  await telemetry.close();
  assert.deepEqual(urls, [
    'https://collector.test/otlp/v1/traces {"x-a":"1 2","x-b":"50%","content-type":"application/json"}',
  ]);
});

test("a collector in the clear on another machine is refused", () => {
  for (const address of ["http://collector.test:4318", "ftp://127.0.0.1", "collector"]) {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: address };
    assert.throws(() => openTelemetry(input(env)), { code: "host.bad_config" });
  }
});
