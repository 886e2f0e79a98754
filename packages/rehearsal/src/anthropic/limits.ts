/** Numbers: output and context limits, thinking budget, sampling, cache markers. */
import { isJson } from "../check.ts";
import type { RehearsalModel } from "../model.ts";
import { type Complaint, firstComplaint } from "../refuse.ts";
import { at, invalid } from "./complain.ts";
import type { Block, MessagesBody } from "./shape.ts";
import { blocksOf } from "./turns.ts";

export function refuseLimits(body: MessagesBody, model: RehearsalModel): Complaint | undefined {
  return firstComplaint(
    () => refuseOutput(body, model),
    () => refuseThinking(body, model),
    () => refuseSampling(body, model),
    () => refuseStops(body),
    () => refuseMarkers(body),
  );
}

/** Observed. */
function refuseOutput({ max_tokens }: MessagesBody, { id, maxOutput }: RehearsalModel) {
  return max_tokens > maxOutput
    ? invalid(
        `max_tokens: ${max_tokens} > ${maxOutput}, which is the maximum allowed number of output tokens for ${id}`,
      )
    : undefined;
}

/** Documented on `budget_tokens`: at least 1024 (checked with the shape) and less than max_tokens. */
function refuseThinking(body: MessagesBody, model: RehearsalModel): Complaint | undefined {
  if (body.thinking?.type !== "enabled") return undefined;
  if (model.manualThinking === false) {
    return invalid("thinking.type: `enabled` is not supported for this model. Use `adaptive`.");
  }
  if ((body.thinking.budget_tokens ?? 0) >= body.max_tokens) {
    return invalid("`max_tokens` must be greater than `thinking.budget_tokens`.");
  }
  if (body.temperature !== undefined && body.temperature !== 1) {
    return invalid("`temperature` may only be set to 1 when thinking is enabled.");
  }
  if (body.top_k !== undefined) return invalid("`top_k` must be unset when thinking is enabled.");
  if (body.top_p !== undefined && body.top_p < 0.95) {
    return invalid(
      "`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.",
    );
  }
  return undefined;
}

function refuseSampling(body: MessagesBody, model: RehearsalModel): Complaint | undefined {
  if (model.sampling !== false) return undefined;
  const given = (["temperature", "top_p", "top_k"] as const).find(
    (name) => body[name] !== undefined,
  );
  return given && at([], `\`${given}\` is not supported for this model.`);
}

const refuseStops = ({ stop_sequences = [] }: MessagesBody): Complaint | undefined =>
  stop_sequences.some((stop) => stop.trim() === "")
    ? invalid("stop_sequences: each stop sequence must contain non-whitespace")
    : undefined;

const MARKERS_MAX = 4;

/** Documented: at most four, and a 1-hour marker never after a 5-minute one. */
function refuseMarkers(body: MessagesBody): Complaint | undefined {
  const markers = markersOf(body);
  if (markers.length > MARKERS_MAX) {
    return invalid(
      `A maximum of ${MARKERS_MAX} blocks with cache_control may be provided. Found ${markers.length}.`,
    );
  }
  const short = markers.findIndex((ttl) => ttl !== "1h");
  const late = short === -1 ? -1 : markers.indexOf("1h", short);
  return late === -1
    ? undefined
    : invalid("a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block");
}

/** The time-to-live of every marker, in the order of the prompt; the top-level one is the last. */
export function markersOf(body: MessagesBody): string[] {
  const system = typeof body.system === "string" ? [] : (body.system ?? []);
  const blocks = [...(body.tools ?? []), ...system, ...body.messages.flatMap(blocksOf)];
  const markers = blocks.flatMap((block) => markersIn(block as Block));
  return body.cache_control ? [...markers, body.cache_control.ttl ?? "5m"] : markers;
}

function markersIn(block: Block): string[] {
  const inner = block.type === "tool_result" && Array.isArray(block.content) ? block.content : [];
  const own = isJson(block.cache_control) ? [block.cache_control.ttl ?? "5m"] : [];
  return [...(inner as Block[]).flatMap(markersIn), ...own];
}
