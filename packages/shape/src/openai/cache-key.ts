/** The key that routes requests of one conversation to one cache. A longer one is refused. */
import type { Settings } from "../protocol.ts";

const LONGEST = 64;

export const cacheKeyOf = ({ cache, cacheKey }: Settings): string | undefined =>
  cache === "auto" ? cacheKey?.slice(0, LONGEST) : undefined;
