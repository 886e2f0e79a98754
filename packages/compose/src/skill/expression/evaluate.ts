/**
 * A condition over a request. Total: what is not there is null, values of different kinds are
 * unequal, and nothing is in what cannot hold it.
 */
import { canonicalJson } from "@galley/parts";
import type { Expression, Root } from "./parse.ts";

export type Subject = { readonly [R in Root]: unknown };

export const holds = (expression: Expression, subject: Subject): boolean =>
  isTrue(evaluate(expression, subject));

function evaluate(expression: Expression, subject: Subject): unknown {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "path":
      return expression.keys.reduce(member, subject[expression.root]) ?? null;
    case "list":
      return expression.items.map((item) => evaluate(item, subject));
    case "not":
      return !holds(expression.inner, subject);
    case "and":
      return holds(expression.left, subject) && holds(expression.right, subject);
    case "or":
      return holds(expression.left, subject) || holds(expression.right, subject);
    case "==":
    case "!=": {
      const [left, right] = [
        evaluate(expression.left, subject),
        evaluate(expression.right, subject),
      ];
      return same(left, right) === (expression.kind === "==");
    }
    case "in":
      return isIn(evaluate(expression.left, subject), evaluate(expression.right, subject));
  }
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function member(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === "number" ? value.at(key) : undefined;
  return isTable(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
}

/** Empty, zero, null and false are false, as in the templates beside it. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isTable(value) ? Object.keys(value).length > 0 : Boolean(value);
}

function same(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object") return left === right;
  return canonicalJson(left) === canonicalJson(right);
}

function isIn(left: unknown, right: unknown): boolean {
  if (Array.isArray(right)) return right.some((item) => same(left, item ?? null));
  if (typeof left !== "string") return false;
  if (typeof right === "string") return right.includes(left);
  return isTable(right) && Object.hasOwn(right, left);
}
