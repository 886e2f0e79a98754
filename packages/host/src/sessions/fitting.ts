/** Messages as one model can take them, each looked at once for as long as somebody holds it. */
import type { UserContext } from "@galley/assemble";
import type { ModelProfile } from "@galley/shape";
import { fitPictures } from "../pipeline/fit-pictures.ts";

export function fitting(profile: ModelProfile): (message: UserContext) => Promise<UserContext> {
  const known = new WeakMap<UserContext, Promise<UserContext>>();
  return (message) => {
    const made = known.get(message) ?? fitPictures(message, profile);
    known.set(message, made);
    return made;
  };
}
