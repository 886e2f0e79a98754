/** What the thread that checks inputs is asked, and what it answers. */

export type SchemaJob = {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly input: unknown;
};

export type SchemaAnswer =
  | { readonly fits: true }
  /** Where, and what is wrong there; the first few. */
  | { readonly fits: false; readonly faults: readonly string[] }
  /** The schema itself cannot be used. */
  | { readonly broken: string };
