/** What the API would keep of an exchange, put into the store. */
import { check } from "../check.ts";
import type { Heard } from "../heard.ts";
import { type Said, saidId } from "../said.ts";
import { outputItems } from "./output.ts";
import { resolveItems } from "./pairing.ts";
import { type ResponsesBody, responsesBody } from "./shape.ts";
import type { ItemStore } from "./stored.ts";

/** Documented: responses are stored unless `store` is false. */
export function keepResponse(said: Said, heard: Heard, store: ItemStore): void {
  if (heard.protocol !== "openai-responses" || heard.body.store === false) return;
  // It passed this shape when it was heard; reading it again gives every item its `type`.
  const body = check(responsesBody, heard.body).value as ResponsesBody;
  const input = resolveItems(body, store);
  if (!Array.isArray(input)) return;
  store.keep(saidId("resp", said.number), input, outputItems(said, heard));
}
