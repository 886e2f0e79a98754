/** Which of the settings that were asked for did not make it into a request. */
import type { Settings } from "./protocol.ts";

type Optional = "temperature" | "topP" | "stop" | "reasoning";

/** A protocol's own words; a setting without one has no place in it. */
export type Spelling = Readonly<Partial<Record<Optional, string>>>;

const OPTIONAL: readonly Optional[] = ["temperature", "topP", "stop", "reasoning"];

export function leftOut(settings: Settings, sent: object, spelling: Spelling): string[] {
  return OPTIONAL.filter((name) => {
    const word = spelling[name];
    return settings[name] !== undefined && (word === undefined || !Object.hasOwn(sent, word));
  });
}
