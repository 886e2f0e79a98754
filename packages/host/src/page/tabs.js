/** Tabs by the book: one in the tab order, arrows move, Home and End jump. */

import { element } from "./element.js";

/**
 * @typedef {object} Tab
 * @property {string} id
 * @property {string} label
 * @property {number} reduced how many parts the model is shown less of
 * @property {() => HTMLElement} open makes the panel's content, when it is first looked at
 */

/**
 * @param {HTMLElement} list
 * @param {HTMLElement} panel
 * @param {readonly Tab[]} tabs
 * @param {string | undefined} chosen
 * @param {(id: string) => void} onChoose
 */
export function showTabs(list, panel, tabs, chosen, onChoose) {
  const buttons = tabs.map(({ id, label, reduced }) =>
    element(
      "button",
      { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": panel.id },
      label,
      ...(reduced > 0 ? [badge(reduced)] : []),
    ),
  );
  /** @param {number} index */
  const choose = (index) => {
    const tab = tabs[index];
    if (!tab) return;
    buttons.forEach((button, each) => {
      button.setAttribute("aria-selected", String(each === index));
      button.tabIndex = each === index ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", `tab-${tab.id}`);
    panel.replaceChildren(tab.open());
    onChoose(tab.id);
  };
  buttons.forEach((button, index) => {
    button.addEventListener("click", () => choose(index));
    button.addEventListener("keydown", (event) => {
      const to = moved(event.key, index, buttons.length);
      if (to === undefined) return;
      event.preventDefault();
      choose(to);
      buttons[to]?.focus();
    });
  });
  const hadFocus = list.contains(document.activeElement);
  list.replaceChildren(...buttons);
  const first = Math.max(
    0,
    tabs.findIndex(({ id }) => id === chosen),
  );
  choose(first);
  // The tabs are made anew with every proof; whoever stood on one still does.
  if (hadFocus) buttons[first]?.focus();
}

/** @param {string} key @param {number} index @param {number} count */
function moved(key, index, count) {
  if (key === "ArrowRight") return (index + 1) % count;
  if (key === "ArrowLeft") return (index + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

/** @param {number} reduced */
function badge(reduced) {
  const says = reduced === 1 ? "1 part is shown as less" : `${reduced} parts are shown as less`;
  return element(
    "span",
    { class: "badge", title: says, "aria-label": says, role: "img" },
    String(reduced),
  );
}
