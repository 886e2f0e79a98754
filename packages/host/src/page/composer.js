/** The composer: what is typed, named, picked, dropped and pasted becomes the draft. */

import { EMPTY } from "./draft.js";
import { byId, element, sized } from "./element.js";
import { readAttachment } from "./files.js";

/** @import { Draft } from "./draft.js" */

/**
 * @param {(draft: Draft) => void} onChange
 * @param {(sentence: string) => void} say what went wrong, or right, for everyone to hear
 */
export function startComposer(onChange, say) {
  const text = byId("text", HTMLTextAreaElement);
  const ref = byId("ref", HTMLInputElement);
  const picker = byId("files", HTMLInputElement);
  const zone = byId("composer", HTMLElement);
  /** @type {Draft} */
  let draft = EMPTY;

  /** @param {Partial<Draft>} change */
  function update(change) {
    draft = { ...draft, ...change };
    showThings();
    onChange(draft);
  }

  /** @param {Draft} next */
  function replace(next) {
    text.value = next.text;
    update(next);
  }

  function showThings() {
    const refs = draft.refs.map((path, index) =>
      chip("reference", path, "", () => update({ refs: draft.refs.toSpliced(index, 1) })),
    );
    const files = draft.attachments.map((file, index) =>
      chip("attachment", file.name, `${file.mime}, ${sized(file.size ?? 0)}`, () =>
        update({ attachments: draft.attachments.toSpliced(index, 1) }),
      ),
    );
    byId("things", HTMLUListElement).replaceChildren(...refs, ...files);
  }

  /** @param {Iterable<File>} files */
  async function attach(files) {
    for (const file of files) {
      try {
        const attachment = await readAttachment(file);
        update({ attachments: [...draft.attachments, attachment] });
        say(`${attachment.name} is attached.`);
      } catch (error) {
        say(error instanceof Error ? error.message : String(error));
      }
    }
  }

  function addRef() {
    const path = ref.value.trim();
    if (path === "") return ref.focus();
    ref.value = "";
    update({ refs: [...draft.refs, path] });
    say(`${path} is referred to.`);
  }

  text.addEventListener("input", () => update({ text: text.value }));
  byId("add-ref", HTMLButtonElement).addEventListener("click", addRef);
  ref.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    addRef();
  });
  byId("pick", HTMLButtonElement).addEventListener("click", () => picker.click());
  picker.addEventListener("change", async () => {
    await attach([...(picker.files ?? [])]);
    picker.value = "";
  });
  takeDrops(zone, attach);
  zone.addEventListener("paste", async (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    await attach(files);
  });
  return { replace, current: () => draft };
}

/** @param {HTMLElement} zone @param {(files: Iterable<File>) => Promise<void>} attach */
function takeDrops(zone, attach) {
  zone.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    zone.classList.add("drop");
  });
  zone.addEventListener("dragleave", (event) => {
    const inside = event.relatedTarget instanceof Node && zone.contains(event.relatedTarget);
    if (!inside) zone.classList.remove("drop");
  });
  zone.addEventListener("drop", async (event) => {
    zone.classList.remove("drop");
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    await attach(files);
  });
}

/**
 * @param {string} kind
 * @param {string} name
 * @param {string} about
 * @param {() => void} onRemove
 */
function chip(kind, name, about, onRemove) {
  const remove = element("button", { type: "button", "aria-label": `Remove ${kind} ${name}` }, "×");
  remove.addEventListener("click", onRemove);
  return element(
    "li",
    { class: `chip ${kind}` },
    element("span", { class: "chip-name" }, name),
    ...(about === "" ? [] : [element("span", { class: "chip-about" }, about)]),
    remove,
  );
}
