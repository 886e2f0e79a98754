/** The line that stands where something was left out. Its count is made once and then kept. */

/** Characters that could draw a name across its line, or hide in it. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

export type ElisionStage = "tool-result" | "attachment";

export function elisionLine(stage: ElisionStage, name: string, tokens: number): string {
  if (stage === "tool-result") {
    return `[tool result elided, about ${tokens} tokens: call the tool again if it is needed]`;
  }
  const named = name === "" ? "" : ` ${name.replace(UNPRINTABLE, " ")}`;
  return `[attachment elided:${named}, about ${tokens} tokens that were shown earlier]`;
}
