/**
 * Reading JSON that anybody may have written. Many servers speak these protocols, each a little
 * differently: a field of another type than expected counts as absent, so that no event can throw.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOrNone = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

export const asText = (value: unknown): string => textOrNone(value) ?? "";

/** A number of tokens, or a place in a list. */
export const countOrNone = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** JSON can spell a zero below zero, which is not a count: hence `||`. */
export const asCount = (value: unknown): number => countOrNone(value) || 0;
