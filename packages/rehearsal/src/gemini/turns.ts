/**
 * Rules across the contents: roles, parts that are something, function calls and their responses,
 * thought signatures. The sentences are observed.
 */

import { decodeProtoBase64 } from "../media.ts";
import type { RehearsalModel } from "../model.ts";
import { type Complaint, firstComplaint } from "../refuse.ts";
import { isSeal } from "../seal.ts";
import { fieldOf, invalid, rule } from "./complain.ts";
import { type Content, PART_DATA, type Part } from "./shape.ts";

export const partsOf = (content: Content | undefined): readonly Part[] => content?.parts ?? [];
/** A content without a role is the user's (documented for single turns). */
const roleOf = (content: Content | undefined): string => content?.role || "user";
const countCalls = (content: Content | undefined): number =>
  partsOf(content).filter((part) => part.functionCall).length;
const countResponses = (content: Content | undefined): number =>
  partsOf(content).filter((part) => part.functionResponse).length;

export function refuseTurns(
  contents: readonly Content[] | undefined,
  model: RehearsalModel,
  verifySeals: boolean,
): Complaint | undefined {
  if (!contents || contents.length === 0) return rule(["contents"], "contents is not specified");
  return firstComplaint(
    () => refuseParts(contents),
    () => refuseRoles(contents),
    () => refuseFunctions(contents),
    () => refuseOrder(contents),
    () => refuseSignatures(contents, model, verifySeals),
  );
}

export function refuseParts(
  contents: readonly Content[],
  root = "contents",
): Complaint | undefined {
  for (const [index, content] of contents.entries()) {
    const path = [root, index];
    if (partsOf(content).length === 0) {
      return rule([...path, "parts"], "contents.parts must not be empty.");
    }
    for (const [place, part] of partsOf(content).entries()) {
      const given = PART_DATA.filter((name) => part[name] !== undefined);
      const at = [...path, "parts", place];
      if (given.length === 0) {
        return rule([...at, "data"], "required oneof field 'data' must have one initialized field");
      }
      if (given.length > 1) {
        const field = fieldOf(at);
        return invalid(
          `Invalid value at '${field}' (oneof), oneof field 'data' is already set. Cannot set '${given[1]}'`,
          field,
        );
      }
    }
  }
  return undefined;
}

function refuseRoles(contents: readonly Content[]): Complaint | undefined {
  const stranger = contents.find(
    (content) => !["user", "model", "function"].includes(roleOf(content)),
  );
  if (stranger) return invalid("Please use a valid role: user, model.");
  if (contents.length === 1 && roleOf(contents[0]) === "model") {
    return invalid(
      "Please ensure that single turn requests end with a user role or the role field is empty.",
    );
  }
  return undefined;
}

/** Calls come from the model after the user, responses come back at once, and as many. */
function refuseFunctions(contents: readonly Content[]): Complaint | undefined {
  for (const [index, content] of contents.entries()) {
    const before = contents[index - 1];
    const calls = countCalls(content);
    const isModel = roleOf(content) === "model";
    if (calls > 0 && (!isModel || index === 0 || roleOf(before) === "model")) {
      return invalid(
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
      );
    }
    const responses = countResponses(content);
    if (responses > 0 && (isModel || countCalls(before) === 0)) {
      return invalid(
        "Please ensure that function response turn comes immediately after a function call turn.",
      );
    }
    if (calls > 0 && countResponses(contents[index + 1]) !== calls) {
      return invalid(
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
      );
    }
    if (responses > 0 && responses !== countCalls(before)) {
      return invalid(
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
      );
    }
  }
  return undefined;
}

/** Observed on several models; newer ones are not known to take it in every case. */
function refuseOrder(contents: readonly Content[]): Complaint | undefined {
  const roles = contents.map((content) => (roleOf(content) === "model" ? "model" : "user"));
  const alternates = roles.every((role, index) => role !== roles[index - 1]);
  if (roles[0] !== "user" || !alternates) {
    return invalid("Please ensure that multiturn requests alternate between user and model.");
  }
  return roles.at(-1) === "user"
    ? undefined
    : invalid("Please ensure that multiturn requests end with a user role or a function response.");
}

/** Documented stand-ins for a signature that was lost. */
const BYPASS = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

function refuseSignatures(
  contents: readonly Content[],
  model: RehearsalModel,
  verifySeals: boolean,
): Complaint | undefined {
  for (const [index, content] of contents.entries()) {
    for (const [place, { thoughtSignature }] of partsOf(content).entries()) {
      if (thoughtSignature === undefined || BYPASS.includes(thoughtSignature)) continue;
      const field = fieldOf(["contents", index, "parts", place, "thoughtSignature"]);
      if (!decodeProtoBase64(thoughtSignature)) {
        return invalid(`Invalid value at '${field}' (TYPE_BYTES), Base64 decoding failed`, field);
      }
      if (verifySeals && !isSeal(thoughtSignature)) return invalid("Corrupted thought signature.");
    }
  }
  const required =
    model.thoughtSignatures ?? (GEMINI_3_ON.test(model.id) ? "required" : "optional");
  return required === "required" ? refuseUnsigned(contents) : undefined;
}

const GEMINI_3_ON = /^gemini-(?:[3-9]|\d\d)/;

/**
 * Documented: from the user's last own words on, the first function call of each model turn carries
 * its signature; older turns and the parallel calls behind the first need none.
 */
function refuseUnsigned(contents: readonly Content[]): Complaint | undefined {
  const current = contents.findLastIndex(
    (content) => roleOf(content) !== "model" && countResponses(content) === 0,
  );
  for (const [index, content] of contents.entries()) {
    if (index < current) continue;
    const first = partsOf(content).find((part) => part.functionCall);
    if (first && !first.thoughtSignature) {
      return invalid(
        `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Function call \`${first.functionCall?.name}\`, position ${index + 1}.`,
      );
    }
  }
  return undefined;
}
