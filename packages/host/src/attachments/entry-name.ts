/** Whether the name of an entry stays inside the folder that an archive is unpacked into. */

const LONGEST_NAME = 1024;
const LONGEST_SEGMENT = 255;

/** Why it does not; undefined when it does. The rules are those of every system at once. */
export function nameProblem(name: string): string | undefined {
  const segments = name.split("/");
  // A directory ends with a slash.
  if (segments.at(-1) === "") segments.pop();
  if (segments.length === 0 || segments.every((segment) => segment === "."))
    return "it has no name";
  if (segments[0] === "" || /^[A-Za-z]:/.test(name)) return "its name begins at the root";
  if (segments.includes("..")) return "its name leads out of the archive";
  if (name.includes("\\")) return "its name has a backslash, which is a separator elsewhere";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  if (/[\u0000-\u001f\u007f]/.test(name)) return "its name has a control character";
  const isLong = segments.some((segment) => Buffer.byteLength(segment) > LONGEST_SEGMENT);
  return isLong || name.length > LONGEST_NAME ? "its name is too long" : undefined;
}
