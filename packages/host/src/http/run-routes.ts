/** What runs in a session and what waits: looked at, stopped, taken up again, answered. */
import { SessionStatus } from "@galley/parts";
import type { Context } from "hono";
import type { z } from "zod";
import { checked } from "./requests.ts";
import type { Env, Route } from "./route.ts";
import { SubmittedAnswer } from "./session-answers.ts";
import { bodyOf, JSON_TYPE, optionalBodyOf, type SessionDeps } from "./session-deps.ts";
import { AbortRequest, AnswerRequest, DismissRequest, NothingRequest } from "./session-requests.ts";
import { sessionIdOf } from "./session-scope.ts";

const STATUS = { says: "Its status now", type: JSON_TYPE, schema: SessionStatus } as const;
const REFUSES = [404, 409, 503, 507];

export function runRoutes(deps: SessionDeps): readonly Route[] {
  const { live } = deps.backend;
  const status = async (c: Context<Env>) => Response.json(await live.status(sessionIdOf(c)));
  const nothing = async (c: Context<Env>) => checked(NothingRequest, await optionalBodyOf(c, deps));
  return [
    {
      method: "GET",
      path: "/v1/sessions/:id/status",
      id: "status",
      summary: "What the session is doing; looking starts nothing",
      answers: STATUS,
      refuses: [404],
      handle: status,
    },
    {
      method: "POST",
      path: "/v1/sessions/:id/abort",
      id: "abort",
      summary: "Ends what runs; what was said so far is kept, and the stop policy decides the rest",
      takes: AbortRequest,
      takesNothing: true,
      answers: STATUS,
      refuses: REFUSES,
      async handle(c) {
        await live.abort(sessionIdOf(c), checked(AbortRequest, await optionalBodyOf(c, deps)));
        return status(c);
      },
    },
    {
      method: "POST",
      path: "/v1/sessions/:id/retry",
      id: "retry",
      summary: "The message that failed, again",
      takes: NothingRequest,
      takesNothing: true,
      answers: { says: "It fires", type: JSON_TYPE, schema: SubmittedAnswer, status: 202 },
      refuses: REFUSES,
      async handle(c) {
        await nothing(c);
        return Response.json(await live.retry(sessionIdOf(c)), { status: 202 });
      },
    },
    {
      method: "POST",
      path: "/v1/sessions/:id/resume",
      id: "resume",
      summary: "The next message that waits, after a failure or a hold",
      takes: NothingRequest,
      takesNothing: true,
      answers: STATUS,
      refuses: REFUSES,
      async handle(c) {
        await nothing(c);
        await live.resume(sessionIdOf(c));
        return status(c);
      },
    },
    ...interactions(deps, status),
  ];
}

const interactions = (
  deps: SessionDeps,
  status: (c: Context<Env>) => Promise<Response>,
): readonly Route[] => [
  {
    method: "POST",
    path: "/v1/sessions/:id/answers",
    id: "answer",
    summary: "Allows or denies a call, or answers a question; the turn goes on",
    takes: AnswerRequest,
    answers: STATUS,
    refuses: REFUSES,
    async handle(c) {
      const answer = checked(AnswerRequest, await bodyOf(c, deps));
      await deps.backend.live.answer(sessionIdOf(c), withoutHoles(answer));
      return status(c);
    },
  },
  {
    method: "POST",
    path: "/v1/sessions/:id/dismiss",
    id: "dismiss",
    summary: "Ends a question or an approval without an answer",
    takes: DismissRequest,
    answers: STATUS,
    refuses: REFUSES,
    async handle(c) {
      const { tool_call_id } = checked(DismissRequest, await bodyOf(c, deps));
      await deps.backend.live.dismiss(sessionIdOf(c), tool_call_id);
      return status(c);
    },
  },
];

type Asked = z.infer<typeof AnswerRequest>;

/** The schema's type writes `undefined` out where the port's leaves the key away. */
const withoutHoles = (answer: Asked) =>
  "answers" in answer
    ? answer
    : {
        tool_call_id: answer.tool_call_id,
        decision: answer.decision,
        ...(answer.scope !== undefined && { scope: answer.scope }),
      };
