/**
 * Ties a part's outcome to its bytes: pointing at one or focusing it lights up both, and pressing
 * it goes to the other and keeps the light on. Everything of a part carries `data-part`.
 */

/** @param {HTMLElement} view */
export function linkParts(view) {
  /** @type {string | undefined} */
  let pinned;
  /** @param {string | undefined} part */
  const light = (part) => {
    for (const each of partsIn(view)) each.classList.toggle("lit", each.dataset.part === part);
  };
  /** @param {Event} event */
  const onPoint = (event) => {
    const part = partAt(event) ?? pinned;
    light(part);
    // Bytes may be out of sight in the body's own scroll; the page itself stays where it is.
    if (part !== undefined && goes(event) === "run") reveal(view, part);
  };
  const moved = movements();
  view.addEventListener("pointerover", (event) => moved(event) && onPoint(event));
  view.addEventListener("focusin", onPoint);
  view.addEventListener("pointerleave", () => light(pinned));
  view.addEventListener("focusout", () => light(pinned));
  view.addEventListener("click", (event) => {
    const part = partAt(event);
    if (part === undefined) return;
    pinned = part === pinned && goes(event) !== "outcome" ? undefined : part;
    light(pinned);
    for (const each of view.querySelectorAll(".outcome")) {
      each.setAttribute("aria-pressed", String(partOf(each) === pinned));
    }
    if (pinned !== undefined) show(view, pinned, goes(event) ?? "outcome");
  });
}

/** When the page scrolls under a resting pointer, the browser says that it points elsewhere. */
function movements() {
  let [x, y] = [Number.NaN, Number.NaN];
  /** @param {PointerEvent} event */
  return ({ screenX, screenY }) => {
    const rested = screenX === x && screenY === y;
    [x, y] = [screenX, screenY];
    return !rested;
  };
}

/** @param {ParentNode} view @returns {Iterable<HTMLElement>} */
const partsIn = (view) => view.querySelectorAll("[data-part]");

/** @param {Element | null | undefined} found */
const partOf = (found) => (found instanceof HTMLElement ? found.dataset.part : undefined);

/** @param {Event} event */
const holderOf = ({ target }) =>
  target instanceof Element ? target.closest("[data-part]") : undefined;

/** @param {Event} event */
const partAt = (event) => partOf(holderOf(event));

/** Where pressing leads: to the bytes, or to the outcome. @param {Event} event */
function goes(event) {
  const holder = holderOf(event);
  return holder instanceof HTMLElement ? holder.dataset.goes : undefined;
}

const behavior = () =>
  matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";

/** @param {HTMLElement} view @param {string} part @param {string} kind */
const find = (view, part, kind) =>
  [...view.querySelectorAll(`.${kind}`)].find((each) => partOf(each) === part);

/** Scrolls the body to where the part begins. @param {HTMLElement} view @param {string} part */
function reveal(view, part) {
  const body = view.querySelector(".body");
  const run = find(view, part, "run");
  if (!body || !run) return;
  const below = run.getBoundingClientRect().top - body.getBoundingClientRect().top;
  if (below > 0 && below < body.clientHeight / 2) return;
  body.scrollBy({ top: below - body.clientHeight / 6, behavior: behavior() });
}

/** @param {HTMLElement} view @param {string} part @param {string} kind */
function show(view, part, kind) {
  if (kind === "run") {
    reveal(view, part);
    view.querySelector(".body")?.scrollIntoView({ block: "nearest", behavior: behavior() });
    return;
  }
  const row = find(view, part, "outcome");
  row?.scrollIntoView({ block: "nearest", behavior: behavior() });
  if (row instanceof HTMLElement) row.focus({ preventScroll: true });
}
