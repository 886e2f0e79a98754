/**
 * The pure way out: a heard request and a script step → the pieces of a reply, faults included.
 *
 * No clock and no socket: waiting is described (`delayMs`, `chunkDelayMs`, `ending`), not done.
 */
import type { Heard } from "./heard.ts";
import type { Cached } from "./prompt-cache.ts";
import type { Protocol, ProtocolId } from "./protocol.ts";
import { PROTOCOLS } from "./protocols.ts";
import type { Complaint } from "./refuse.ts";
import type { Said, SaidCall, Usage } from "./said.ts";
import { saidId } from "./said.ts";
import { type Fault, type Step, wordPieces } from "./script.ts";
import { type CountTokens, countByLength } from "./tokens.ts";
import { type Refusal, refusalOf } from "./validate.ts";
import { frame, type WireEvent } from "./wire.ts";

export type AnswerContext = {
  /** 1-based; ids are made from it. */
  readonly number: number;
  readonly nowSeconds?: number;
  readonly cached?: Cached;
  readonly countTokens?: CountTokens;
  readonly requestId?: string;
};

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, in the pieces in which it is sent. */
  readonly frames: readonly string[];
  /** `cut`: the connection breaks; `hang`: it stays open and silent. */
  readonly ending: "close" | "cut" | "hang";
  /** Only a hang without events holds back even the headers. */
  readonly withHeaders: boolean;
  readonly delayMs: number;
  readonly chunkDelayMs: number;
};

export function answer(request: Heard, step: Step, context: AnswerContext): Reply {
  const protocol = PROTOCOLS[request.protocol];
  const requestId = context.requestId ?? "req_rehearsal";
  const pauses = { delayMs: step.delayMs ?? 0, chunkDelayMs: step.chunkDelayMs ?? 0 };
  const failed = failedOutright(protocol, request, step.fault);
  if (failed) return { ...errorReply(protocol, failed, requestId), ...pauses };
  const said = sayOf(request, step, context);
  const body = request.stream
    ? streamed(protocol.events(said, request), request, protocol, step.fault)
    : whole(JSON.stringify(protocol.whole(said, request)), step.fault);
  const isEvents = request.stream && request.framing === undefined;
  const type = isEvents ? "text/event-stream; charset=utf-8" : "application/json";
  return {
    status: 200,
    headers: { "content-type": type, ...protocol.replyHeaders(requestId) },
    ...body,
    ...pauses,
  };
}

function failedOutright(protocol: Protocol, request: Heard, fault: Fault | undefined) {
  if (!fault) return undefined;
  if ("status" in fault) {
    return protocol.fault(
      fault.status,
      "retryAfterSeconds" in fault ? fault.retryAfterSeconds : undefined,
    );
  }
  return "errorEventAt" in fault && !request.stream ? protocol.fault(500) : undefined;
}

export const errorReply = (protocol: Protocol, complaint: Complaint, requestId: string): Reply =>
  refusalReply(protocol, refusalOf(protocol, complaint, requestId), requestId);

export const refusalReply = (protocol: Protocol, refusal: Refusal, requestId: string): Reply => ({
  status: refusal.status,
  headers: {
    "content-type": "application/json",
    ...protocol.replyHeaders(requestId),
    ...refusal.headers,
  },
  ...sent([JSON.stringify(refusal.error)]),
  delayMs: 0,
  chunkDelayMs: 0,
});

type Body = Pick<Reply, "frames" | "ending" | "withHeaders">;
const sent = (frames: readonly string[], ending: Reply["ending"] = "close"): Body => ({
  frames,
  ending,
  withHeaders: true,
});

function streamed(
  events: readonly WireEvent[],
  request: Heard,
  protocol: Protocol,
  fault: Fault | undefined,
): Body {
  const frames = (list: readonly WireEvent[]) =>
    request.framing === "json-array" ? arrayFrames(list) : list.map(frame);
  if (!fault || "status" in fault) return sent(frames(events));
  if ("cutAfterEvents" in fault) return sent(frames(events).slice(0, fault.cutAfterEvents), "cut");
  if ("malformedEventAt" in fault) {
    const broken = events.map((event, at) =>
      at === fault.malformedEventAt ? { ...event, data: firstHalf(event.data) } : event,
    );
    return sent(frames(broken));
  }
  if ("errorEventAt" in fault) {
    const before = events.slice(0, fault.errorEventAt);
    return sent(frames([...before, protocol.errorEvent(before.length)]));
  }
  const given = frames(events).slice(0, fault.afterEvents ?? 0);
  return { ...sent(given, "hang"), withHeaders: fault.afterEvents !== undefined };
}

function whole(json: string, fault: Fault | undefined): Body {
  if (!fault || "status" in fault || "errorEventAt" in fault) return sent([json]);
  if ("cutAfterEvents" in fault) return sent([firstHalf(json)], "cut");
  if ("malformedEventAt" in fault) return sent([firstHalf(json)]);
  return { ...sent([], "hang"), withHeaders: fault.afterEvents !== undefined };
}

const firstHalf = (text: string): string => text.slice(0, Math.ceil(text.length / 2));

const arrayFrames = (events: readonly WireEvent[]): string[] =>
  events.map(
    ({ data }, at) => `${at === 0 ? "[" : ",\n"}${data}${at === events.length - 1 ? "]" : ""}`,
  );

const CALL_PREFIXES: { readonly [P in ProtocolId]: string } = {
  "anthropic-messages": "toolu",
  "openai-responses": "call",
  "openai-chat": "call",
  "gemini-generate": "call",
};

export function sayOf(request: Heard, step: Step, context: AnswerContext): Said {
  const chunks = typeof step.say === "string" ? wordPieces(step.say) : (step.say ?? []);
  const toolCalls = (step.toolCalls ?? []).map(
    ({ id, name, input }, index): SaidCall => ({
      id: id ?? saidId(CALL_PREFIXES[request.protocol], context.number, index),
      name,
      input,
    }),
  );
  return {
    number: context.number,
    createdSeconds: context.nowSeconds ?? 0,
    reasoning: step.reasoning,
    chunks,
    toolCalls,
    refusal: step.refusal,
    stop: stopOf(step, toolCalls),
    usage: { ...estimate(request, step, chunks, context), ...step.usage },
  };
}

function stopOf(step: Step, toolCalls: readonly SaidCall[]): Said["stop"] {
  if (step.refusal !== undefined) return "refusal";
  if (step.stop === "length") return "length";
  return toolCalls.length > 0 ? "tool-calls" : "stop";
}

function estimate(
  request: Heard,
  step: Step,
  chunks: readonly string[],
  { cached, countTokens: count = countByLength }: AnswerContext,
): Usage {
  const reasoning = count(step.reasoning ?? "");
  const words = count(chunks.join("") + (step.refusal ?? ""));
  const calls = (step.toolCalls ?? []).map(({ name, input }) =>
    count(name + JSON.stringify(input ?? {})),
  );
  return {
    input: request.inputTokens,
    cacheRead: cached?.read ?? 0,
    cacheWrite: cached?.write ?? 0,
    output: calls.reduce((sum, tokens) => sum + tokens, reasoning + words),
    reasoning,
  };
}
