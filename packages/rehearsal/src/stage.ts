/**
 * One rehearsal without its sockets: the script, the prompt cache and the stored responses, and the
 * way of one request through them. The server below it only moves bytes.
 */
import { answer, errorReply, type Reply, refusalReply, sayOf } from "./answer.ts";
import { defaultAnswer } from "./default-answer.ts";
import type { Heard } from "./heard.ts";
import { keepResponse } from "./openai-responses/keep.ts";
import { itemStore } from "./openai-responses/stored.ts";
import { promptCache } from "./prompt-cache.ts";
import type { Protocol } from "./protocol.ts";
import { PROTOCOLS } from "./protocols.ts";
import type { Route } from "./route.ts";
import { saidId } from "./said.ts";
import { type NextStep, readScript, type Script, type ScriptReader } from "./script.ts";
import { type CountTokens, countByLength } from "./tokens.ts";
import { type ValidateOptions, validate } from "./validate.ts";

export type StageOptions = Omit<ValidateOptions, "target" | "stored" | "requestId"> & {
  readonly script?: Script;
};

export type Incoming = {
  readonly route: Route;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  readonly nowSeconds: number;
};

export type Performed = { readonly reply: Reply; readonly accepted: boolean };

export interface Stage {
  use(script: Script | undefined): void;
  perform(incoming: Incoming): Performed;
}

const RESPONSES_KEPT = 1_000;
const PREFIXES_KEPT = 100_000;

export function openStage(options: StageOptions = {}): Stage {
  const countTokens = options.countTokens ?? countByLength;
  const stored = itemStore(RESPONSES_KEPT);
  const cache = promptCache(countTokens, PREFIXES_KEPT);
  let script = readerOf(options.script, countTokens);
  let requests = 0;
  let answers = 0;

  return {
    use(next) {
      script = readerOf(next, countTokens);
    },
    perform({ route, headers, body, nowSeconds }) {
      const requestId = saidId("req", ++requests);
      const protocol = PROTOCOLS[route.protocol];
      const validated = validate(route.protocol, headers, body, {
        ...options,
        target: route.target,
        stored,
        requestId,
      });
      if (!validated.ok)
        return { accepted: false, reply: refusalReply(protocol, validated, requestId) };
      const heard = validated.request;
      const next = script.next(heard);
      if (!next.ok) return { accepted: true, reply: stepless(protocol, next, requestId) };
      const context = {
        number: ++answers,
        nowSeconds,
        countTokens,
        requestId,
        cached: cache.account(heard),
      };
      if (!next.step.fault) keepResponse(sayOf(heard, next.step, context), heard, stored);
      return { accepted: true, reply: answer(heard, next.step, context) };
    },
  };
}

const readerOf = (script: Script | undefined, count: CountTokens): ScriptReader =>
  readScript(script ?? ((heard: Heard) => defaultAnswer(heard, count)));

function stepless(
  protocol: Protocol,
  { status, reason }: Extract<NextStep, { ok: false }>,
  requestId: string,
): Reply {
  const { type } = status === 400 ? protocol.refuseJson("") : protocol.fault(500);
  return errorReply(protocol, { status, type, message: `rehearsal: ${reason}` }, requestId);
}
