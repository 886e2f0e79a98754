/** What a retry is compared by: one spelling for equal JSON, of a depth that a stack can hold. */
import { canonicalJson } from "@galley/parts";
import { StoreError } from "./store-error.ts";

const DEEPEST = 1000;

export function payloadText(value: unknown): string {
  if (!isShallow(value, DEEPEST)) {
    const issue = `it is nested deeper than ${DEEPEST} levels`;
    throw StoreError.make("invalid", { what: "the message", issue });
  }
  return canonicalJson(value);
}

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return left > 0 && Object.values(value).every((each) => isShallow(each, left - 1));
}
