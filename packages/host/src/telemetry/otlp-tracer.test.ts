import assert from "node:assert/strict";
import { test } from "node:test";
import { otlpTracer } from "./otlp-tracer.ts";

type Call = { readonly url: string; readonly init: RequestInit };

function collector(statuses: readonly (number | Error)[] = []) {
  const calls: Call[] = [];
  const fetchThem = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const status = statuses[calls.length] ?? 200;
    calls.push({ url: String(url), init });
    if (status instanceof Error) throw status;
    return new Response(null, { status });
  };
  return { calls, fetch: fetchThem as typeof fetch };
}

function tracerTo(statuses: readonly (number | Error)[] = [], more: object = {}) {
  const { calls, fetch } = collector(statuses);
  const reported: string[] = [];
  let time = 1_700_000_000_000;
  let byte = 0;
  const tracer = otlpTracer({
    endpoint: "http://127.0.0.1:4318/",
    fetch,
    now: () => time++,
    random: (count) => new Uint8Array(count).fill(++byte),
    report: (line) => reported.push(line),
    ...more,
  });
  return { tracer, calls, reported };
}

const spansOf = ({ init }: Call) =>
  JSON.parse(String(init.body)).resourceSpans[0].scopeSpans[0].spans as Record<string, unknown>[];

test("spans go out in one request, each inside the one it was opened in", async () => {
  const { tracer, calls } = tracerTo([], { headers: { "x-key": "k" }, service: "mine" });
  const turn = tracer.span("session.turn", { turn_index: 1, session_id: "ses_1" });
  const call = turn.span("tool.call", { tool_id: "read" });
  call.set({ duration_ms: 1.5, truncated: false });
  call.end("no such file: /secret/plans.txt");
  turn.end();
  turn.end("again");
  await tracer.flush();
  assert.equal(calls.length, 1);
  assert.equal(calls[0]?.url, "http://127.0.0.1:4318/v1/traces");
  assert.equal(calls[0]?.init.redirect, "manual");
  assert.deepEqual(calls[0]?.init.headers, { "x-key": "k", "content-type": "application/json" });
  const trace = "01".repeat(16);
  assert.deepEqual(JSON.parse(String(calls[0]?.init.body)), {
    resourceSpans: [
      {
        resource: { attributes: [{ key: "service.name", value: { stringValue: "mine" } }] },
        scopeSpans: [
          {
            scope: { name: "galley" },
            spans: [
              {
                traceId: trace,
                spanId: "03".repeat(8),
                parentSpanId: "02".repeat(8),
                name: "tool.call",
                kind: 1,
                startTimeUnixNano: "1700000000001000000",
                endTimeUnixNano: "1700000000002000000",
                attributes: [
                  { key: "tool_id", value: { stringValue: "read" } },
                  { key: "duration_ms", value: { doubleValue: 1.5 } },
                  { key: "truncated", value: { boolValue: false } },
                ],
                status: { code: 2 },
              },
              {
                traceId: trace,
                spanId: "02".repeat(8),
                name: "session.turn",
                kind: 1,
                startTimeUnixNano: "1700000000000000000",
                endTimeUnixNano: "1700000000003000000",
                attributes: [
                  { key: "turn_index", value: { intValue: "1" } },
                  { key: "session_id", value: { stringValue: "ses_1" } },
                ],
                status: {},
              },
            ],
          },
        ],
      },
    ],
  });
});

test("text of people, files and providers does not leave, whatever a caller hands over", async () => {
  const { tracer, calls } = tracerTo();
  const span = tracer.span("tool.call", { input: "my password", tool_id: "x".repeat(500) });
  span.set({ error: "sk-secret", output: "contents" });
  span.end("sk-secret");
  await tracer.flush();
  const body = String(calls[0]?.init.body);
  assert.doesNotMatch(body, /password|sk-secret|contents/);
  assert.deepEqual(spansOf(calls[0] as Call)[0]?.attributes, [
    { key: "tool_id", value: { stringValue: "x".repeat(200) } },
  ]);
});

test("a full batch goes out by itself, and what waits is bounded", async () => {
  const { tracer, calls, reported } = tracerTo([new Error("no route"), 503, 200], {
    batch: 2,
    queue: 3,
  });
  const end = (count: number) => {
    for (let index = 0; index < count; index += 1) tracer.span("session.turn", {}).end();
  };
  end(2);
  await tracer.flush();
  end(5);
  await tracer.flush();
  assert.equal(tracer.dropped(), 4);
  await tracer.flush();
  assert.deepEqual(
    calls.map((call) => spansOf(call).length),
    [2, 2, 2, 1],
  );
  assert.deepEqual(reported, ["traces cannot be sent: no route; 0 spans dropped so far"]);
  await tracer.close();
  assert.equal(reported.at(-1), "4 spans were dropped");
});

test("what the collector will never take is dropped and told, and closing never throws", async () => {
  const { tracer, reported } = tracerTo([400, new Error("gone")]);
  tracer.span("session.turn", {}).end();
  await tracer.flush();
  assert.equal(tracer.dropped(), 1);
  assert.deepEqual(reported, ["traces cannot be sent: status 400; 1 spans dropped so far"]);
  tracer.span("session.turn", {}).end();
  await tracer.close();
  tracer.span("session.turn", {}).end();
  assert.equal(tracer.dropped(), 3);
});
