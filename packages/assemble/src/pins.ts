/**
 * Pins: content that is read again for each send, placed in the last message that a person typed.
 *
 * They stand before that message's own words, so that the request is the same as the last one up to
 * there. They are nobody's history: the message that holds them is a new object, all others are the
 * ones that came in. Their text has no clock, so the same content gives the same bytes.
 */
import type { UserPart } from "@galley/parts";
import type { ContextMessage, Material, UserContext } from "./context.ts";
import { derivation } from "./derive.ts";
import { digestOf } from "./digest.ts";
import type { Measure } from "./estimate.ts";
import type { Line } from "./filters.ts";
import type { Added, ManifestBlock, ManifestPin } from "./manifest.ts";
import { factsOf } from "./message-facts.ts";

export type Pin = {
  readonly id: string;
  /** What the model knows it by; its id when absent. */
  readonly name?: string;
} & ({ readonly text: string } | { /** Why it could not be read. */ readonly failed: string });

/** Pins as parts, before it is known where they stand. */
export type ReadPins = {
  readonly message: UserContext;
  readonly digest: string;
  readonly records: readonly ManifestPin[];
  readonly measure: Measure;
  readonly tokens: number;
};

export type Spot = {
  readonly anchor: NonNullable<Added["anchor"]>;
  readonly line: number;
  readonly part: number;
};

const AS_OF = "pinned; as of this message";

export function readPins(pins: readonly Pin[] = []): ReadPins | undefined {
  if (pins.length === 0) return undefined;
  const message: UserContext = {
    role: "user",
    parts: pins.map(partOf),
    materials: pins.map(materialOf),
  };
  const { listed, measure, tokens } = factsOf(message);
  const records = pins.map((pin, at) => recordOf(pin, listed[at]));
  const digest = digestOf(JSON.stringify([message.parts, message.materials]));
  return { message, digest, records, measure, tokens };
}

/** The lines with the pins among them; the one that holds them, or is made of them, is new. */
export function placePins(lines: readonly Line[], { message: pins, digest }: ReadPins, spot: Spot) {
  const held = lines[spot.line]?.message;
  if (spot.anchor === "typed" || (held?.role === "user" && spot.part > 0)) {
    const typed = held as UserContext;
    const key = `${spot.part} ${digest}`;
    const message = anchors.of(typed, key, () => spliced(typed, spot.part, pins));
    return lines.with(spot.line, { ...(lines[spot.line] as Line), message });
  }
  const before = lines[spot.line - 1]?.message ?? NOBODY;
  const message = followers.of<ContextMessage>(before, digest, () => pins);
  return lines.toSpliced(spot.line, 0, { message, at: undefined, results: 0 });
}

const anchors = derivation();
/** Kept under the message before it, so that it is the same object while that one is. */
const followers = derivation();
/** The message before the first. */
const NOBODY: ContextMessage = { role: "user", parts: [], materials: [] };

const nameOf = ({ id, name }: Pin): string => name ?? id;

const partOf = (pin: Pin): UserPart => ({
  type: "file-ref",
  ref: { kind: "path", path: nameOf(pin) },
});

function materialOf(pin: Pin): Material {
  if ("failed" in pin) return { kind: "unavailable", reason: pin.failed };
  const size = new TextEncoder().encode(pin.text).length;
  const note = size === 0 ? `${AS_OF}; it is empty` : AS_OF;
  return { kind: "text", text: pin.text, size, note };
}

function recordOf(pin: Pin, block: ManifestBlock | undefined): ManifestPin {
  const failed = "failed" in pin ? { failed: pin.failed } : {};
  return { id: pin.id, tokens: block?.tokens ?? 0, digest: block?.digest ?? "", ...failed };
}

/** The last message that is all typed, else after the results of a carrier, else at the end. */
export function spotFor(lines: readonly Line[]): Spot {
  const typed = lines.findLastIndex(
    ({ message, at, results }) => message.role === "user" && at !== undefined && results === 0,
  );
  if (typed >= 0) return { anchor: "typed", line: typed, part: 0 };
  const carrier = lines.findLastIndex(
    ({ message, results }) =>
      results > 0 || (message.role === "assistant" && factsOf(message).hasResults),
  );
  if (carrier < 0) return { anchor: "synthetic", line: lines.length, part: 0 };
  const results = lines[carrier]?.results ?? 0;
  return results > 0
    ? { anchor: "carrier", line: carrier, part: results }
    : { anchor: "carrier", line: carrier + 1, part: 0 };
}

/** The pins between the parts of the message, with everything that is counted by part moved on. */
function spliced(message: UserContext, at: number, pins: UserContext): UserContext {
  const count = pins.parts.length;
  // Materials may be shorter than parts, which is the same as undefined.
  const materials = Array.from(message.parts, (_, index) => message.materials[index]);
  const { elided } = message;
  return {
    ...message,
    parts: message.parts.toSpliced(at, 0, ...pins.parts),
    materials: materials.toSpliced(at, 0, ...pins.materials),
    ...(elided && {
      elided: Object.fromEntries(
        Object.entries(elided).map(([index, line]) => [
          Number(index) < at ? index : Number(index) + count,
          line,
        ]),
      ),
    }),
  };
}
