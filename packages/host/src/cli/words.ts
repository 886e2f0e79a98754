/** What `compose` and `send` share: the words of the command line as the pipeline's input. */
import type { GivenSample } from "../compositor/context-samples.ts";
import { HostError } from "../host-error.ts";
import type { ComposeInput } from "../pipeline/pipeline.ts";

export type WordFlags = {
  readonly ref: readonly string[];
  readonly attach: readonly string[];
  readonly editorContext: readonly string[];
  readonly plain?: boolean;
};

export function composeInput(words: readonly string[], flags: WordFlags): ComposeInput {
  return {
    text: words.join(" "),
    refs: flags.ref,
    attach: flags.attach,
    editorContext: flags.editorContext.flatMap(editorContexts),
    plain: flags.plain ?? false,
  };
}

/** One context or a list of them. */
function editorContexts(text: string): GivenSample[] {
  const value = parse(text);
  return (Array.isArray(value) ? value : [value]).map((context: unknown) => {
    if (typeof context !== "object" || context === null || Array.isArray(context)) {
      throw HostError.make("bad_editor_context", { reason: "it is not a JSON object" });
    }
    // Checked with the whole message, where an issue is told with its path.
    return context as GivenSample;
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = `it is not JSON: ${(error as SyntaxError).message}`;
    throw HostError.make("bad_editor_context", { reason }, { cause: error });
  }
}
