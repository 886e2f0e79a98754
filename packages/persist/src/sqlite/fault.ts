/** SQLite's result codes as errors that a person can act on. */
import { isGalleyError } from "@galley/parts";
import { StoreError } from "../store-error.ts";

const BUSY = 5;
const LOCKED = 6;

type SqliteFault = Error & { readonly errcode: number; readonly errstr: string };

function isSqliteFault(error: unknown): error is SqliteFault {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

/** The low byte is the kind; the rest says where it came from. */
const kindOf = (fault: SqliteFault) => fault.errcode & 0xff;

export function isBusy(error: unknown): boolean {
  return isSqliteFault(error) && (kindOf(error) === BUSY || kindOf(error) === LOCKED);
}

/** An error of our own, or one that is not SQLite's, is handed on as it is. */
export function faultOf(error: unknown, path: string, waited_ms = 0): unknown {
  if (isGalleyError(error) || !isSqliteFault(error)) return error;
  const data = { path, detail: error.message };
  const cause = { cause: error };
  switch (kindOf(error)) {
    case BUSY:
    case LOCKED:
      return StoreError.make("busy", { ...data, waited_ms }, cause);
    case 3:
    case 8:
      return StoreError.make("read-only", data, cause);
    case 10:
      return StoreError.make("io", data, cause);
    case 11:
    case 26:
      return StoreError.make("corrupt", data, cause);
    case 13:
      return StoreError.make("full", data, cause);
    case 14:
      return StoreError.make("cannot-open", data, cause);
    case 18:
      return StoreError.make("too-big", data, cause);
    case 19:
      return StoreError.make(
        "conflict",
        { id: "the rows", detail: `contradict what is stored: ${error.message}` },
        cause,
      );
    default:
      return error;
  }
}
