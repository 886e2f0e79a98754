/**
 * What of a request no sentence, row or export may hold: the value of every header that is not known
 * to be plain. A provider may repeat a key when it refuses it, whole or shortened in its own way.
 */

/** Headers whose values are no secret; every other one may hold a key, whatever its name says. */
const PLAIN_HEADERS = new Set([
  "accept",
  "anthropic-beta",
  "anthropic-version",
  "content-type",
  "openai-beta",
  "openai-organization",
  "openai-project",
  "user-agent",
]);

export const isPlainHeader = (name: string): boolean => PLAIN_HEADERS.has(name.toLowerCase());

export const MASK = "***";

/** Shorter values are flags and numbers: masking them would only make a sentence unreadable. */
const SHORTEST = 4;
/** From this length on a beginning gives the whole away, and nobody else's text begins so. */
const LONG = 16;
const BEGINNING = 8;

/** Masks in a text what these headers keep secret. */
export function withoutSecrets(text: string, headers: Readonly<Record<string, string>>): string {
  const secrets = Object.entries(headers)
    .filter(([name]) => !isPlainHeader(name))
    .flatMap(([, value]) => spellings(value.trim()))
    .filter((secret) => secret.length >= SHORTEST)
    // The longest first: what holds another one goes as a whole.
    .sort((one, other) => other.length - one.length);
  return secrets.reduce(masked, text);
}

function masked(text: string, secret: string): string {
  const whole = text.replaceAll(secret, MASK);
  if (secret.length < LONG) return whole;
  const beginning = secret.slice(0, BEGINNING).replace(/[^A-Za-z0-9]/g, "\\$&");
  return whole.replaceAll(new RegExp(`${beginning}[^\\s"'<>,;]*`, "g"), MASK);
}

/** What follows its scheme, the parts of a `name:password`, and each as JSON quotes it. */
function spellings(value: string): readonly string[] {
  const [, scheme = "", credentials] =
    /^(bearer|basic|token|key|apikey) +(\S+)$/i.exec(value) ?? [];
  const decoded = /^basic$/i.test(scheme) ? fromBase64(credentials ?? "") : undefined;
  const password = decoded?.slice(decoded.indexOf(":") + 1);
  const found = [credentials ?? value, decoded, password].filter((each) => each !== undefined);
  return found.flatMap((each) => [each, JSON.stringify(each).slice(1, -1)]);
}

const fromBase64 = (text: string): string => Buffer.from(text, "base64").toString("utf8");
