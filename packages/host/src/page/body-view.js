/** The laid-out body as elements: colours and numbers for parts, folded runs as a count. */

import { layOut } from "./body-layout.js";
import { counted, element, grouped } from "./element.js";

/** @import { Outcome } from "@galley/parts" */
/** @import { Run } from "./body-layout.js" */

/** Parts beyond these begin again with the first colour; their number still tells them apart. */
const COLOURS = 6;

/** @param {number} part */
export const colourOf = (part) => `hue-${part % COLOURS}`;

/**
 * @param {string} body
 * @param {readonly Outcome[]} outcomes
 */
export function bodyView(body, outcomes) {
  /** @type {Set<number>} */
  const numbered = new Set();
  const lines = layOut(body, outcomes).map(({ depth, runs }) => {
    const line = element("div", { class: "line" });
    line.style.setProperty("--depth", String(depth));
    for (const run of runs) {
      if (run.part !== undefined && !numbered.has(run.part)) {
        numbered.add(run.part);
        line.append(numberOf(run.part, outcomes));
      }
      line.append(runView(run));
    }
    return line;
  });
  const label = "Request body, exact; line breaks are drawn, not sent";
  return element(
    "div",
    { class: "body", role: "region", tabindex: 0, "aria-label": label },
    ...lines,
  );
}

/** Stands where a part begins, and is how the keyboard gets from bytes to their part. */
/** @param {number} part @param {readonly Outcome[]} outcomes */
function numberOf(part, outcomes) {
  const ranges = outcomes
    .filter((each) => each.part === part)
    .flatMap(({ bytes }) => bytes.map(([from, to]) => `${grouped(from)} to ${grouped(to)}`));
  return element(
    "button",
    {
      type: "button",
      class: `number ${colourOf(part)}`,
      "data-part": part,
      "data-goes": "outcome",
      "aria-label": `Part ${part + 1}, bytes ${ranges.join(" and ")}: show its outcome`,
    },
    String(part + 1),
  );
}

/** @param {Run} run @returns {Node} */
function runView({ text, part, kind }) {
  const shown =
    kind === "fold"
      ? element("span", { class: "fold" }, `⋯ ${counted(text.length, "more character")} ⋯`)
      : kind === "key"
        ? element("span", { class: "key" }, text)
        : document.createTextNode(text);
  if (part === undefined) return shown;
  return element("span", { class: `run ${colourOf(part)}`, "data-part": part }, shown);
}
