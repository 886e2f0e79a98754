/** JSON mode, which both OpenAI protocols guard with the same rule. */
import { type Heard, wordsOf } from "../heard.ts";
import type { Complaint } from "../refuse.ts";
import { invalid } from "./complain.ts";

/** Documented: JSON mode wants to be told so in the prompt too. */
export function refuseWordlessJson(
  isJsonMode: boolean,
  heard: Pick<Heard, "system" | "messages">,
  field: "messages" | "input",
): Complaint | undefined {
  const words = [heard.system, ...heard.messages.map(({ blocks }) => blocks)].map(wordsOf);
  if (!isJsonMode || /json/i.test(words.join(" "))) return undefined;
  const setting = field === "messages" ? "response_format" : "text.format";
  return invalid(
    `'${field}' must contain the word 'json' in some form, to use '${setting}' of type 'json_object'.`,
    field,
  );
}
