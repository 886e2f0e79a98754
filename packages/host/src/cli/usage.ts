/** Bad usage, which is not a failure: the command line itself is wrong. It ends with 2. */
import { HostError } from "../host-error.ts";

export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const noSessions = () =>
  HostError.make("not_yet", {
    what: "a session (--session)",
    instead: "leave it out, and the message stands on its own",
  });
