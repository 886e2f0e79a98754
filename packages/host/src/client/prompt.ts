/**
 * `prompt`: a message with its attachments, and the chunks of the turn that answers it.
 *
 * An attachment is named by its path where the host runs, as in the prompt option this follows:
 * the client reads no file, and the host resolves the path inside the session's roots when the
 * message fires. So an attachment becomes a `file-ref`; text is written out, a picture or a PDF goes
 * along in its bytes, and a path that leads nowhere becomes a placeholder that names it. `mime` and
 * `filename` are kept on the part as they were declared. Bytes that only the client has are put
 * with `blobs.put` or sent as `file-attachment` parts.
 */
import { idMinter, type MessageId, type SessionId, type UserPart } from "@galley/parts";
import type { NewMessage, SubmitAnswer } from "./answers.ts";
import { isLost } from "./client-error.ts";
import { tries } from "./tries.ts";

export type PromptAttachment = {
  /** Absolute, relative to the session's workspace, or a `file://` address. */
  readonly path: string;
  readonly mime?: string;
  readonly filename?: string;
};

export type PromptOptions = {
  readonly attachments?: readonly PromptAttachment[];
  /** `provider/model`. */
  readonly model?: string;
  /** The key under which a retry is known; minted when absent. */
  readonly id?: MessageId;
  /** Hears how the message was taken in, before the first chunk. */
  readonly onSubmitted?: (submitted: SubmitAnswer) => void;
  /** Ends the listening; the turn goes on. `abort` ends the turn. */
  readonly signal?: AbortSignal;
};

export function promptMessage(text: string, { attachments = [], model, id }: PromptOptions) {
  const parts = attachments.map(attachmentPart);
  return {
    id: id ?? mintId("msg"),
    ...(text !== "" && { text }),
    ...(parts.length > 0 && { parts }),
    ...(model !== undefined && { model }),
  } satisfies NewMessage;
}

function attachmentPart({ path, mime, filename }: PromptAttachment): UserPart {
  return {
    type: "file-ref",
    ref: { kind: "path", path: pathOf(path) },
    ...(mime !== undefined && { mime }),
    ...(filename !== undefined && { name: filename }),
  };
}

function pathOf(path: string): string {
  const url = /^file:\/\//i.test(path) ? URL.parse(path) : null;
  if (url === null) return path;
  // A drive letter has a slash before it in an address, and none in a path.
  return decodeURIComponent(url.pathname).replace(/^\/(?=[A-Za-z]:\/)/, "");
}

const mint = idMinter({
  now: () => Date.now(),
  random: (count) => crypto.getRandomValues(new Uint8Array(count)),
});

/** Of the client's own making, so that what is sent twice is known. */
export const mintId = (prefix: "msg" | "ses"): MessageId | SessionId => mint(prefix);

const SUBMIT_TRIES = 4;

/** A submit whose answer was lost is sent again: under its id the message is taken in once. */
export async function submitSurely(
  submit: () => Promise<SubmitAnswer>,
  signal?: AbortSignal,
): Promise<SubmitAnswer> {
  const left = tries(signal, SUBMIT_TRIES);
  for (;;) {
    try {
      return await submit();
    } catch (error) {
      if (!isLost(error)) throw error;
      await left.again(error);
    }
  }
}
