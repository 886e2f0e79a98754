/** Sends the message to the offline model and shows its answer as it arrives. */

import { composeDraft, isEmpty } from "./draft.js";
import { byId, grouped } from "./element.js";

/** @import { UiChunk, Usage } from "@galley/parts" */
/** @import { Api } from "./api.js" */
/** @import { Draft } from "./draft.js" */

/**
 * @param {Api} api
 * @param {() => Draft} draft
 * @param {() => string} provider whose protocol the offline model is to speak
 * @param {(sentence: string) => void} say
 */
export function startAnswer(api, draft, provider, say) {
  const button = byId("send", HTMLButtonElement);
  const section = byId("answer", HTMLElement);
  const title = byId("answer-title", HTMLElement);
  const text = byId("answer-text", HTMLElement);
  const end = byId("answer-end", HTMLElement);
  /** @type {AbortController | undefined} */
  let running;

  /** @param {UiChunk} chunk */
  function onChunk(chunk) {
    if (chunk.type === "text-delta") text.append(chunk.delta);
    else if (chunk.type === "text-end") text.append("\n");
    else if (chunk.type === "error") end.textContent = chunk.errorText;
    else if (chunk.type === "message-metadata" && chunk.messageMetadata.usage) {
      end.textContent = billed(chunk.messageMetadata.usage);
    }
  }

  async function send() {
    const model = `rehearsal/${provider()}`;
    const mine = new AbortController();
    running = mine;
    button.textContent = "Stop";
    section.hidden = false;
    section.setAttribute("aria-busy", "true");
    title.textContent = `${model} answers`;
    text.replaceChildren();
    end.textContent = "";
    section.scrollIntoView({ block: "nearest" });
    try {
      const message = await composeDraft(draft(), api, mine.signal);
      const body = { message, model };
      for await (const chunk of api.stream("/v1/try", body, mine.signal)) onChunk(chunk);
    } catch (error) {
      end.textContent = mine.signal.aborted
        ? "Stopped."
        : String(/** @type {Error} */ (error).message);
    }
    running = undefined;
    button.textContent = "Send to the rehearsal model";
    section.setAttribute("aria-busy", "false");
  }

  button.addEventListener("click", async () => {
    if (running) running.abort();
    else if (isEmpty(draft()))
      say("There is nothing to send yet: write something, or take the example.");
    else await send();
  });
}

/** @param {Usage} usage */
function billed({ input, output, reasoning, cache_read: read, cache_write: write }) {
  const taken = input + read + write;
  return `It counted ${grouped(taken)} tokens in and ${grouped(output + reasoning)} out.`;
}
