/** What a live session refuses, with what to do about it. */
import { defineErrors } from "@galley/parts";

export const TurnError = defineErrors("turn", {
  "no-session": (data: { id: string }) =>
    `there is no session ${data.id}: GET /v1/sessions lists them`,
  "no-message": (data: { id: string }) => `there is no message ${data.id} in this session`,
  conflict: (data: { id: string }) =>
    `${data.id} was already submitted with another payload: send the new one under a new id`,
  cancelled: (data: { id: string }) =>
    `${data.id} was cancelled and stays cancelled: send it under a new id`,
  "not-sent": (data: { id: string }) =>
    `${data.id} is no message that a person sent to the model: name one of those`,
  "no-rewind": (data: { id: string | null }) =>
    data.id === null
      ? "nothing was rewound here: there is nothing to take back"
      : `there is no rewind ${data.id} to take back in this session`,
  "not-ephemeral": (data: { id: string }) =>
    `${data.id} is a session of its own already: only a sidecar is promoted`,
  "already-fired": (data: { id: string }) =>
    `${data.id} has fired and is part of the conversation: rewind to change it`,
  "not-queued": (data: { id: string }) => `${data.id} does not wait in this session's queue`,
  "still-queued": (data: { id: string }) => `${data.id} still waits: it has not been sent yet`,
  "no-interaction": (data: { tool_call_id: string }) =>
    `${data.tool_call_id} waits for no answer: it was answered, dismissed, or never asked`,
  "wrong-answer": (data: { tool_call_id: string; wants: string }) =>
    `${data.tool_call_id} is answered with ${data.wants}`,
  "nothing-running": (_: object) => "nothing is running, and nothing waits to be cleared",
  "nothing-to-retry": (_: object) => "no message has failed: there is nothing to retry",
  "not-paused": (_: object) => "the queue is not paused: there is nothing to resume",
  busy: (data: { what: string }) => `the session is busy (${data.what}): wait, or stop it first`,
  "has-queue": (data: { count: number }) =>
    `${data.count} queued messages would never fire: cancel them first`,
  "row-changed": (data: { id: string; wants: string }) =>
    `${data.id} is not ${data.wants} any more: something else has written to this database; nothing was done`,
  "reserved-metadata": (data: { key: string }) =>
    `the metadata key ${data.key} is the host's own: choose another name`,
  "not-built": (data: { what: string }) => `${data.what} is not built yet`,
  archived: (data: { id: string }) => `${data.id} is archived: take it out of the archive first`,
  closing: (_: object) => "the host is closing: send it again when it is back",
  "over-limit": (data: { model: string; estimate: number; limit: number; says: string }) =>
    `not sent to ${data.model}: ${data.says}`,
  "no-pin": (data: { id: string }) =>
    `nothing is pinned to this session as ${data.id}: GET its pins lists what is`,
  "too-many-pins": (data: { most: number }) =>
    `${data.most} pins are the most that a session has: take one away first`,
  "too-many-steps": (data: { steps: number }) =>
    `stopped after ${data.steps} model calls in one turn: send a message to go on`,
  "too-late": (data: { id: string }) =>
    `what a stopped turn still said was not added to its answer ${data.id}`,
  stalled: (data: { seconds: number }) =>
    `the provider went silent for ${data.seconds} s: retry sends the message again`,
});
