/**
 * Makes DOM elements. Children are nodes or text, and text stays text: there is no way in this
 * page to turn a string into markup.
 */

/**
 * @typedef {Readonly<Record<string, string | number | boolean | undefined>>} Attributes
 *   `true` writes an empty attribute, `false` and undefined none.
 */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/**
 * The element with this id, which the page's HTML holds.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return found;
}

/** @param {number} value */
export const grouped = (value) => value.toLocaleString("en-US");

/** @param {number} count @param {string} word @param {string} [words] */
export const counted = (count, word, words = `${word}s`) =>
  `${grouped(count)} ${count === 1 ? word : words}`;

/** @param {number} bytes */
export function sized(bytes) {
  if (bytes < 1024) return counted(bytes, "byte");
  return bytes < 1024 * 1024
    ? `${(bytes / 1024).toFixed(1)} KB`
    : `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}
