/** Other ways on from a conversation: back to an earlier message, and into a copy. */
import { MessageId, UserPart } from "@galley/parts";
import { z } from "zod";
import { checked } from "./requests.ts";
import type { Route } from "./route.ts";
import { SessionAnswer, SubmittedAnswer, sessionAnswer } from "./session-answers.ts";
import { bodyOf, JSON_TYPE, optionalBodyOf, type SessionDeps } from "./session-deps.ts";
import { NothingRequest } from "./session-requests.ts";
import { sessionIdOf } from "./session-scope.ts";

const RewindRequest = z.strictObject({
  to_message_id: MessageId.describe("a message that a person sent"),
  mode: z
    .enum(["resend", "edit"])
    .describe("resend: it is answered anew; edit: it is hidden too and given back as a draft"),
});

const UnrewindRequest = z.strictObject({
  rewind_id: z.string().min(1).max(256).exactOptional().describe("the latest when absent"),
});

const ForkRequest = z.strictObject({
  from_message_id: MessageId.exactOptional().describe(
    "the last message that is taken along; the last settled one when absent",
  ),
  title: z.string().max(1_000).exactOptional(),
  metadata: z
    .record(z.string().min(1).max(256), z.json())
    .exactOptional()
    .describe("ephemeral: true makes a sidecar, also while the parent runs"),
});

const rewind_id = z.string().nullable().describe("what undoes it; null when nothing was hidden");

const RewoundAnswer = z.union([
  SubmittedAnswer.extend({ mode: z.literal("resend"), rewind_id }),
  z.looseObject({
    mode: z.literal("edit"),
    rewind_id,
    message_id: MessageId.describe("the message that is hidden now"),
    draft: z.looseObject({ parts: z.array(UserPart) }).describe("for the next message"),
  }),
]);

const UnrewoundAnswer = z.looseObject({
  rewind_id,
  shown: z.array(MessageId).describe("what can be seen again, in order"),
});

const REFUSES = [404, 409, 503, 507];

export const branchRoutes = (deps: SessionDeps): readonly Route[] => [
  ...rewinds(deps),
  {
    method: "POST",
    path: "/v1/sessions/:id/fork",
    id: "fork",
    summary: "A session that begins with what can be seen here, up to a message",
    takes: ForkRequest,
    takesNothing: true,
    answers: { says: "The new session", type: JSON_TYPE, schema: SessionAnswer, status: 201 },
    refuses: REFUSES,
    async handle(c) {
      const order = checked(ForkRequest, await optionalBodyOf(c, deps));
      return sessionAnswer(await deps.backend.live.fork(sessionIdOf(c), order), 201);
    },
  },
  {
    method: "POST",
    path: "/v1/sessions/:id/promote",
    id: "promote",
    summary: "Makes a sidecar a session like any other",
    takes: NothingRequest,
    takesNothing: true,
    answers: { says: "The session as it is now", type: JSON_TYPE, schema: SessionAnswer },
    refuses: REFUSES,
    async handle(c) {
      checked(NothingRequest, await optionalBodyOf(c, deps));
      return sessionAnswer(await deps.backend.live.promote(sessionIdOf(c)));
    },
  },
];

const rewinds = (deps: SessionDeps): readonly Route[] => [
  {
    method: "POST",
    path: "/v1/sessions/:id/rewind",
    id: "rewind",
    summary: "Goes back to a message; what came after is hidden, and nothing is deleted",
    takes: RewindRequest,
    answers: {
      says: "It fires again, or its parts as a draft",
      type: JSON_TYPE,
      schema: RewoundAnswer,
    },
    refuses: REFUSES,
    async handle(c) {
      const { to_message_id, mode } = checked(RewindRequest, await bodyOf(c, deps));
      return Response.json(await deps.backend.live.rewind(sessionIdOf(c), to_message_id, mode));
    },
  },
  {
    method: "POST",
    path: "/v1/sessions/:id/unrewind",
    id: "unrewind",
    summary: "Takes a rewind back: its branch and the present one change places",
    takes: UnrewindRequest,
    takesNothing: true,
    answers: { says: "What can be seen again", type: JSON_TYPE, schema: UnrewoundAnswer },
    refuses: REFUSES,
    async handle(c) {
      const { rewind_id: named } = checked(UnrewindRequest, await optionalBodyOf(c, deps));
      return Response.json(await deps.backend.live.unrewind(sessionIdOf(c), named));
    },
  },
];
