/**
 * A rule's pattern held against a command line: `*` stands for anything, everything else for itself.
 *
 * A line can hold more than one command. So a pattern with a star allows only a line in which
 * nothing but one plain command can stand, and forbids a line of which any piece fits. A shell has
 * more ways to say a thing than patterns can name: what holds a command is the sandbox.
 */

/** Whatever joins commands, makes one out of another, or sends output elsewhere. */
const JOINS = /[;&|<>()$`\\\r\n{}#!~*?[\]=]/;
const PIECES = /[;&|()`\r\n{}]|\$\(/;

export function fitsCommand(
  pattern: string,
  command: string,
  action: "allow" | "ask" | "deny",
): boolean {
  if (command === pattern) return true;
  if (action === "allow") return !JOINS.test(command) && fitsStars(pattern, command);
  return [command, ...command.split(PIECES)].some((piece) => fitsStars(pattern, piece.trim()));
}

/** Each text between stars is looked for once, from where the one before ended. */
function fitsStars(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const each of rest) {
    const found = text.indexOf(each, at);
    if (found === -1) return false;
    at = found + each.length;
  }
  return at <= text.length - last.length && text.endsWith(last);
}
