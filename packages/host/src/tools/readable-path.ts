/**
 * A path in a line of output: as it is, or, where it could draw outside its line, as the JSON string
 * that stands for it. Either way a model can give it back.
 */
import { plainName } from "@galley/shape";

export function readablePath(path: string): string {
  const isPlain = plainName(path) === path && path.trim() === path && !path.startsWith('"');
  return isPlain ? path : plainName(JSON.stringify(path));
}
