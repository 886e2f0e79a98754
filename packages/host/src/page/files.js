/** Files that are picked, dropped or pasted, as parts with their bytes inside. */

/** @import { Attachment } from "./draft.js" */

/** Beyond this a file is better named by its path; base64 would make a third more of it. */
const LARGEST = 32 * 1024 * 1024;

/**
 * @param {File} file
 * @returns {Promise<Attachment>}
 */
export async function readAttachment(file) {
  const name = file.name || "pasted";
  if (file.size > LARGEST) {
    throw new Error(`${name} is over 32 MB: add it as a file reference by its path instead.`);
  }
  return {
    type: "file-attachment",
    name,
    mime: file.type || "application/octet-stream",
    size: file.size,
    data: await base64Of(file, name),
  };
}

/** @param {File} file @param {string} name @returns {Promise<string>} */
function base64Of(file, name) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ""));
  reader.onerror = () => reject(new Error(`${name} cannot be read; a folder cannot be attached.`));
  reader.readAsDataURL(file);
  return promise;
}
