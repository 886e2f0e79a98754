/**
 * Counters for whoever watches from outside, in the text format of Prometheus. Numbers alone: no
 * id, no name and no text of anybody's gets in, for they are given without a token.
 */
import type { HostEvent } from "@galley/parts";

export type Gauges = {
  readonly queued: number;
  readonly streams: number;
};

export interface Metrics {
  request(method: string, route: string, status: number): void;
  event(event: HostEvent): void;
  chunks(count: number): void;
  text(gauges: Gauges): string;
}

type Family = {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly values: Iterable<readonly [labels: string, value: number]>;
};

const REASONS = ["finish", "abort", "error"] as const;

export function createMetrics(memory = () => process.memoryUsage()): Metrics {
  const requests = new Map<string, number>();
  const finished = new Map<string, number>(REASONS.map((reason) => [`reason="${reason}"`, 0]));
  let started = 0;
  let chunks = 0;
  const add = (counts: Map<string, number>, labels: string) =>
    counts.set(labels, (counts.get(labels) ?? 0) + 1);
  return {
    request(method, route, status) {
      add(requests, `method="${method}",route="${route}",status="${status}"`);
    },
    event(event) {
      if (event.type === "turn-started") started += 1;
      if (event.type === "turn-finished") add(finished, `reason="${event.reason}"`);
    },
    chunks(count) {
      chunks += count;
    },
    text({ queued, streams }) {
      const { rss, heapUsed, external } = memory();
      return print([
        counter("galley_http_requests_total", "Requests by route and status", requests),
        counter("galley_turns_started_total", "Turns that began", one(started)),
        counter("galley_turns_finished_total", "Turns that ended, by reason", finished),
        counter("galley_sse_chunks_total", "Chunks written to streams", one(chunks)),
        gauge("galley_queued_messages", "Messages that wait for their turn", one(queued)),
        gauge("galley_sse_streams", "Streams that are open", one(streams)),
        gauge("process_resident_memory_bytes", "Resident memory", one(rss)),
        gauge("galley_heap_used_bytes", "Heap in use", one(heapUsed)),
        gauge("galley_external_memory_bytes", "Memory outside the heap", one(external)),
      ]);
    },
  };
}

const one = (value: number): Family["values"] => [["", value]];

const counter = (name: string, help: string, values: Family["values"]): Family => ({
  name,
  type: "counter",
  help,
  values,
});
const gauge = (name: string, help: string, values: Family["values"]): Family => ({
  name,
  type: "gauge",
  help,
  values,
});

const print = (families: readonly Family[]): string =>
  families
    .map(({ name, type, help, values }) => {
      const lines = [...values].map(
        ([labels, value]) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}\n`,
      );
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
