/** What became of each part: a row a part, with its number, its outcome, and why. */

import { colourOf } from "./body-view.js";
import { nameOfPart } from "./draft.js";
import { counted, element, grouped } from "./element.js";

/** @import { Manifest } from "@galley/assemble" */
/** @import { Outcome, OutcomeKind, UserMessage } from "@galley/parts" */

/** @type {Readonly<Record<OutcomeKind, string>>} */
const MEANS = {
  native: "in the provider's own form",
  text: "as text that holds its content",
  descriptor: "named, its bytes stay here",
  "resolved-out": "settled before the model",
  placeholder: "could not be had; a line says so",
  elided: "left out to fit; a line says so",
};

/** The six words and what they mean. */
export const legend = () =>
  Object.entries(MEANS).map(([kind, means]) =>
    element("div", { class: kind }, element("dt", {}, kind), element("dd", {}, means)),
  );

/** The model is shown less of it than came in. @param {Outcome} outcome */
export const isReduced = ({ outcome }) => outcome !== "native" && outcome !== "text";

/**
 * @param {readonly Outcome[]} outcomes
 * @param {UserMessage} message
 * @param {Manifest} manifest
 */
export function outcomesView(outcomes, message, manifest) {
  const rows = outcomes.map((outcome) => {
    const part = message.parts[outcome.part];
    const block = manifest.blocks.find(
      ({ role, part: index }) => role === "user" && index === outcome.part,
    );
    return element("li", {}, row(outcome, part ? nameOfPart(part) : "", block?.tokens));
  });
  return element("ol", { class: "outcomes", "aria-label": "Outcome of each part" }, ...rows);
}

/** @param {Outcome} outcome @param {string} name @param {number | undefined} tokens */
function row(outcome, name, tokens) {
  const { part, type, outcome: kind, detail, note } = outcome;
  return element(
    "button",
    {
      type: "button",
      class: `outcome ${kind}`,
      "data-part": part,
      "data-goes": "run",
      "aria-pressed": "false",
    },
    element("span", { class: `number ${colourOf(part)}` }, String(part + 1)),
    element(
      "span",
      { class: "what" },
      element("span", { class: "type" }, type),
      " ",
      element("span", { class: "name" }, name),
    ),
    element("span", { class: "kind" }, kind),
    element(
      "span",
      { class: "why" },
      element("span", { class: "means" }, MEANS[kind]),
      ...(detail ? [element("span", { class: "detail" }, detail)] : []),
      ...(note ? [element("span", { class: "note" }, note)] : []),
    ),
    element("span", { class: "cost" }, costOf(outcome, tokens)),
  );
}

/** @param {Outcome} outcome @param {number | undefined} tokens */
function costOf({ bytes }, tokens) {
  const size = bytes.reduce((sum, [from, to]) => sum + to - from, 0);
  const share = size === 0 ? "nothing in the body" : counted(size, "byte");
  return tokens === undefined ? share : `${share}, about ${grouped(tokens)} tokens`;
}
