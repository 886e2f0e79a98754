/** One provider's proof: the request line, its headers, the estimate, the outcomes, the body. */

import { bodyView } from "./body-view.js";
import { counted, element, grouped } from "./element.js";
import { linkParts } from "./link-parts.js";
import { outcomesView } from "./outcome-view.js";

/** @import { Manifest } from "@galley/assemble" */
/** @import { UserMessage } from "@galley/parts" */
/** @import { Proof } from "../pipeline/pipeline.ts" */

/** @typedef {Omit<Proof, "stages">} AnsweredProof */

/** @param {AnsweredProof} proof @param {UserMessage} message @returns {HTMLElement} */
export function proofView(proof, message) {
  const { request, outcomes, manifest, body_text: body, body_sha256: digest } = proof;
  const size = new TextEncoder().encode(body).length;
  const view = element(
    "div",
    { class: "proof" },
    element(
      "div",
      { class: "parts" },
      estimateView(manifest),
      element("h3", {}, "What becomes of each part"),
      outcomesView(outcomes, message, manifest),
    ),
    element(
      "div",
      { class: "sent" },
      element("h3", {}, "What would be sent"),
      requestView(request),
      element(
        "div",
        { class: "body-head" },
        element("span", {}, `${counted(size, "byte")}, SHA-256 ${digest.slice(0, 12)}…`),
        ...copyButton(body),
      ),
      bodyView(body, outcomes),
    ),
  );
  linkParts(view);
  return view;
}

/** @param {Manifest} manifest */
function estimateView({ estimate, limit, over_limit: over }) {
  const share = limit > 0 ? (100 * estimate) / limit : 100;
  const says = over
    ? `About ${grouped(estimate)} tokens: over the ${grouped(limit)} that fit. A send would be refused.`
    : `About ${counted(estimate, "token")} of the ${grouped(limit)} that fit (${sharp(share)} %)`;
  return element(
    "div",
    { class: over ? "estimate over" : "estimate" },
    element("meter", {
      min: 0,
      max: Math.max(1, limit),
      high: Math.max(1, limit) * 0.8,
      value: estimate,
      "aria-label": "Estimate against the limit",
    }),
    element("span", {}, says),
  );
}

/** @param {number} share */
const sharp = (share) => (share < 10 ? share.toFixed(share < 0.1 ? 2 : 1) : share.toFixed(0));

/** @param {Proof["request"]} request */
function requestView({ method, url, headers }) {
  const rows = Object.entries(headers).map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value)),
  );
  return element(
    "div",
    { class: "request" },
    element("p", { class: "address" }, element("strong", {}, method), " ", url),
    element("dl", { "aria-label": "Headers" }, ...rows),
  );
}

/** A page that is not on this machine's own address has no clipboard. @param {string} body */
function copyButton(body) {
  if (!navigator.clipboard) return [];
  const button = element("button", { type: "button", class: "quiet" }, "Copy the body");
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(body).then(
      () => button.replaceChildren("Copied"),
      () => button.replaceChildren("The browser does not let me copy"),
    );
  });
  return [button];
}
