/** Prepared statements, each prepared once, with rows as plain objects. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

export type Values = Readonly<Record<string, SQLInputValue>>;

export interface Sql {
  /** The row type is the caller's claim about its own statement. */
  all<Row>(text: string, values?: Values): Row[];
  get<Row>(text: string, values?: Values): Row | undefined;
  /** Gives the number of rows that changed. */
  run(text: string, values?: Values): number;
}

export function statements(db: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  const statement = (text: string): StatementSync => {
    const known = prepared.get(text);
    if (known) return known;
    const fresh = db.prepare(text);
    // A row may be bound whole, also where a statement uses some of its columns.
    fresh.setAllowUnknownNamedParameters(true);
    prepared.set(text, fresh);
    return fresh;
  };
  return {
    // SQLite's rows have no prototype; ours are plain, so that they compare and print like any object.
    all: <Row>(text: string, values: Values = {}) =>
      statement(text)
        .all(values)
        .map((row) => ({ ...row }) as Row),
    get: <Row>(text: string, values: Values = {}) => {
      const row = statement(text).get(values);
      return row && ({ ...row } as Row);
    },
    run: (text, values = {}) => Number(statement(text).run(values).changes),
  };
}
