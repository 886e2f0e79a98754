/** What is odd about a file that a person wrote: where, what, and how to mend it. */
export type Finding = {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** `error`: the file is not loaded. `warning`: it is, as far as it could be read. */
  readonly severity: "error" | "warning";
  readonly says: string;
  readonly fix: string;
};
