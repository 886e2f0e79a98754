/** How a model gets at what it is only told of, by the tools that there really are. */
import type { AttachedFile, LoadPolicy } from "@galley/assemble";
import { reachOf, refinedMedia } from "@galley/compose";
import type { Tool } from "@galley/turn";

export function reachWith(tools: ReadonlySet<string>): (mime: string | undefined) => string {
  return (mime) => {
    const { tools: wanted, sentence } = reachOf(mime);
    const [there, ...others] = wanted.filter((name) => tools.has(name));
    if (there === undefined) return NO_TOOL;
    if (others.length + 1 === wanted.length) return sentence;
    return `the ${[there, ...others].join(" and ")} tool looks into it`;
  };
}

const NO_TOOL = "no tool here opens it";

/** What descriptors may name; without a tool that opens files they name none. */
export function reachesOf(
  tools: readonly Pick<Tool, "definition">[],
): Pick<LoadPolicy, "reach" | "attached" | "fetched"> {
  const names = new Set(tools.map(({ definition }) => definition.name));
  const fetched = (url: string): string => `the web_fetch tool reads ${url}`;
  return {
    ...(names.has("read") && { reach: reachWith(names), attached: attachedWith(tools) }),
    ...(names.has("web_fetch") && { fetched }),
  };
}

/** Of something attached: only a tool that takes it by its name. */
function attachedWith(tools: readonly Pick<Tool, "definition">[]) {
  const takers = tools.filter(({ definition }) => {
    const { properties } = definition.input_schema as { readonly properties?: object };
    return properties !== undefined && Object.hasOwn(properties, "attachment");
  });
  const reach = reachWith(new Set(takers.map(({ definition }) => definition.name)));
  return ({ name, mime, declared }: AttachedFile): string => {
    const said = reach(mime === undefined ? declared : refinedMedia(mime, declared));
    return said === NO_TOOL ? said : `${said}, given attachment: ${name}`;
  };
}
