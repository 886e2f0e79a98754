/** The start page: a draft on one side, its proof for every provider on the other. */

import { startAnswer } from "./answer.js";
import { createApi, Refusal } from "./api.js";
import { startComposer } from "./composer.js";
import { composeDraft, EMPTY, isEmpty, weight } from "./draft.js";
import { byId, counted } from "./element.js";
import { EXAMPLE } from "./example.js";
import { isReduced, legend } from "./outcome-view.js";
import { proofView } from "./proof-view.js";
import { showTabs } from "./tabs.js";
import { forgetToken, keepToken, takeToken } from "./token.js";

/** @import { UserMessage } from "@galley/parts" */
/** @import { Draft } from "./draft.js" */
/** @import { AnsweredProof } from "./proof-view.js" */

/** How long typing must rest; a draft with heavy files is proofed only when asked. */
const REST_MS = 250;
const LIVE_BYTES = 2 * 1024 * 1024;

const status = byId("status", HTMLElement);
const trouble = byId("trouble", HTMLElement);
const proofs = byId("proofs", HTMLElement);
const welcome = byId("welcome", HTMLElement);
const proofNow = byId("proof-now", HTMLButtonElement);
const dialog = byId("token-dialog", HTMLDialogElement);

let token = takeToken();
let provider = "anthropic";
/** @type {AbortController | undefined} */
let underWay;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

const api = createApi(
  () => token,
  () => askForToken("The server does not know this token."),
);

/** @param {string} sentence */
const say = (sentence) => {
  status.textContent = sentence;
};

/** @param {string} sentence */
function complain(sentence) {
  trouble.textContent = sentence;
  trouble.hidden = sentence === "";
}

/** @param {Draft} draft */
function onChange(draft) {
  clearTimeout(waiting);
  underWay?.abort();
  const empty = isEmpty(draft);
  welcome.hidden = !empty;
  proofs.hidden = empty;
  proofs.classList.add("stale");
  const heavy = weight(draft) > LIVE_BYTES;
  proofNow.hidden = empty || !heavy;
  if (empty) complain("");
  else if (heavy) say("The files are large, so the proof waits until you ask for it.");
  else waiting = setTimeout(() => proof(draft), REST_MS);
}

/** @param {Draft} draft */
async function proof(draft) {
  if (token === undefined) return askForToken("");
  const mine = new AbortController();
  underWay = mine;
  try {
    const message = await composeDraft(draft, api, mine.signal);
    const answer = await api.post("/v1/proof", { message, all: true }, mine.signal);
    complain("");
    show(message, /** @type {AnsweredProof[]} */ (answer));
  } catch (error) {
    if (mine.signal.aborted) return;
    if (!(error instanceof Refusal)) throw error;
    complain(error.message);
  }
}

/** @param {UserMessage} message @param {readonly AnsweredProof[]} all */
function show(message, all) {
  const tabs = all.map((each) => ({
    id: each.provider,
    label: each.provider,
    reduced: each.outcomes.filter(isReduced).length,
    open: () => proofView(each, message),
  }));
  showTabs(byId("tabs", HTMLElement), byId("panel", HTMLElement), tabs, provider, (id) => {
    provider = id;
    const model = all.find((each) => each.provider === id)?.model ?? "";
    byId("model", HTMLElement).textContent = `${id}/${model}`;
  });
  proofs.classList.remove("stale");
  say(`The proof of ${counted(message.parts.length, "part")} is up to date.`);
}

/** @param {string} why */
function askForToken(why) {
  forgetToken();
  token = undefined;
  byId("token-why", HTMLElement).textContent = why;
  if (!dialog.open) dialog.showModal();
}

byId("legend", HTMLElement).append(...legend());
const composer = startComposer(onChange, say);
startAnswer(api, composer.current, () => provider, say);
for (const id of ["example", "first-example"]) {
  byId(id, HTMLButtonElement).addEventListener("click", () => composer.replace(EXAMPLE));
}
byId("clear", HTMLButtonElement).addEventListener("click", () => {
  composer.replace(EMPTY);
  byId("answer", HTMLElement).hidden = true;
  byId("text", HTMLTextAreaElement).focus();
});
byId("text", HTMLTextAreaElement).addEventListener("keydown", (event) => {
  const asked = event.key === "Enter" && (event.ctrlKey || event.metaKey);
  if (asked) byId("send", HTMLButtonElement).click();
});
proofNow.addEventListener("click", () => proof(composer.current()));
byId("token-form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  token = byId("token", HTMLInputElement).value.trim();
  keepToken(token);
  dialog.close();
  onChange(composer.current());
});
if (token === undefined) askForToken("");
