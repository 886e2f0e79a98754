/**
 * Errors that cross a package boundary.
 *
 * Each package names its own failures in one table: the key is the code, the function's parameter
 * is the data a caller can act on, and its result is the sentence a person reads.
 */
import { z } from "zod";

export class GalleyError<Code extends string = string, Data = unknown> extends Error {
  override readonly name = "GalleyError";
  readonly code: Code;
  readonly data: Data;

  constructor(code: Code, data: Data, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.data = data;
  }
}

type Sentences = Record<string, (data: never) => string>;
type DataOf<T extends Sentences, C extends keyof T> = Parameters<T[C]>[0];

export function defineErrors<const Area extends string, T extends Sentences>(
  area: Area,
  sentences: T,
) {
  type Raised<C extends keyof T & string> = GalleyError<`${Area}.${C}`, DataOf<T, C>>;
  return {
    make<C extends keyof T & string>(code: C, data: DataOf<T, C>, options?: ErrorOptions) {
      const sentence = sentences[code] as (data: DataOf<T, C>) => string;
      return new GalleyError(`${area}.${code}`, data, sentence(data), options) as Raised<C>;
    },
    is<C extends keyof T & string>(error: unknown, code: C): error is Raised<C> {
      return isGalleyError(error) && error.code === `${area}.${code}`;
    },
  };
}

/** By name, not `instanceof`: two bundled copies of the kit may share one process. */
export function isGalleyError(error: unknown): error is GalleyError {
  return error instanceof Error && error.name === "GalleyError";
}

/** How an error leaves over HTTP: an RFC 9457 problem document with a stable code. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string(),
  code: z.string(),
});
export type Problem = z.infer<typeof Problem>;
