/** Golden files of the cases: reviewed text, written by `npm run golden` only, refused in CI. */
import { fileURLToPath } from "node:url";
import { matchGolden } from "../scripts/golden.ts";

export const golden = (url: URL, actual: unknown): void =>
  matchGolden(fileURLToPath(url), `${JSON.stringify(actual, null, 2)}\n`);
