/** The thread that holds one input against one foreign schema. It may never come to an end. */
import { parentPort, workerData } from "node:worker_threads";
import { type OutputUnit, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { wordsOf } from "../attachments/tried.ts";
import type { SchemaAnswer, SchemaJob } from "./schema-job.ts";

const MOST_FAULTS = 5;
/** Their errors only say that one below them happened. */
const OUTER = new Set([
  "properties",
  "items",
  "prefixItems",
  "additionalProperties",
  "allOf",
  "$ref",
]);

function answerTo({ schema, input }: SchemaJob): SchemaAnswer {
  try {
    const { valid, errors } = new Validator(schema, draftOf(schema), false).validate(input);
    if (valid) return { fits: true };
    const faults = errors.filter(({ keyword }) => !OUTER.has(keyword)).map(sayFault);
    return { fits: false, faults: [...new Set(faults)].slice(0, MOST_FAULTS) };
  } catch (error) {
    // A pattern that is none, a reference to nothing, a schema without an end: all the server's own.
    return { broken: wordsOf(error) };
  }
}

const DRAFTS: readonly (readonly [RegExp, SchemaDraft])[] = [
  [/draft-04/, "4"],
  [/draft-0[67]/, "7"],
  [/2019-09/, "2019-09"],
];

/** The newest where it names none. */
const draftOf = ({ $schema }: SchemaJob["schema"]): SchemaDraft =>
  DRAFTS.find(([spelled]) => spelled.test(String($schema)))?.[1] ?? "2020-12";

const sayFault = ({ instanceLocation, keyword, error }: OutputUnit): string =>
  `${instanceLocation.replace(/^#\/?/, "") || "input"}: ${keyword === "false" ? "there is no such field" : error.replace(/\.$/, "")}`;

parentPort?.postMessage(answerTo(workerData as SchemaJob));
