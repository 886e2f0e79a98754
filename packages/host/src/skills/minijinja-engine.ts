/**
 * MiniJinja, bounded: strict about undefined names, limited fuel, and a memory that cannot grow past
 * a ceiling. Fuel counts steps and not bytes, so a few doublings would fill the machine; the module
 * is therefore given a maximum before it is compiled, and what asks for more traps.
 *
 * It is for a thread of its own (`minijinja-worker.ts`): after a trap the engine is not to be used.
 */
import { readFileSync } from "node:fs";
import type { Rendered, TemplateLimits } from "@galley/compose";
import { Environment, initSync } from "minijinja-js/dist/web/minijinja_js.js";
import { capMemory } from "./wasm-memory.ts";

const PAGE_BYTES = 65_536;
const MOST_BYTES = 32 * 1024 * 1024;
/** A memory never shrinks: past this the thread is replaced, not kept. */
const KEPT_BYTES = 8 * 1024 * 1024;

export type EngineResult = {
  readonly rendered: Rendered;
  /** The engine trapped or grew: nothing more is to be asked of it. */
  readonly spent: boolean;
};

export interface TemplateEngine {
  render(source: string, contextJson: string, limits: TemplateLimits): EngineResult;
}

const WASM = new URL(import.meta.resolve("minijinja-js/dist/web/minijinja_js_bg.wasm"));

export function openEngine(): TemplateEngine {
  const module = capMemory(readFileSync(WASM), MOST_BYTES / PAGE_BYTES);
  const memory: { readonly buffer: ArrayBuffer } = initSync({ module }).memory;
  return {
    render(source, contextJson, limits) {
      try {
        const text = renderOnce(source, JSON.parse(contextJson), limits);
        const rendered: Rendered =
          text.length > limits.outputChars
            ? tooMuch(
                `the template gave ${text.length} characters, of at most ${limits.outputChars}`,
              )
            : { ok: true, text };
        return { rendered, spent: memory.buffer.byteLength > KEPT_BYTES };
      } catch (error) {
        if (isTrap(error)) {
          return { rendered: tooMuch("the template needs too much memory"), spent: true };
        }
        // Everything else that the engine throws is its account of a bad template.
        const rendered = refusal(error instanceof Error ? error.message : String(error));
        return { rendered, spent: memory.buffer.byteLength > KEPT_BYTES };
      }
    },
  };
}

/** The engine stopped in the middle: out of memory, or of its stack. */
const isTrap = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && error.name === "RuntimeError");

/** A fresh environment each time: a template leaves nothing behind. */
function renderOnce(source: string, context: unknown, limits: TemplateLimits): string {
  const environment = new Environment();
  environment.undefinedBehavior = "strict";
  environment.debug = false;
  environment.fuel = limits.fuel;
  // It prints every variable.
  environment.removeGlobal("debug");
  const text = environment.renderStr(source, context);
  environment.free();
  return text;
}

const tooMuch = (says: string): Rendered => ({ ok: false, reason: "limit", says });

const REASONS: readonly (readonly [RegExp, Extract<Rendered, { ok: false }>["reason"]])[] = [
  [/fuel|recursion limit/, "limit"],
  [/^syntax error/, "syntax"],
  [/^undefined value/, "undefined"],
];

/** Only the first line: the lines below it show the template and its variables. */
function refusal(message: string): Rendered {
  const [first = ""] = message.split("\n");
  const [, says = first, line] = /^(.*?) \(in <string>:(\d+)\)$/.exec(first) ?? [];
  const reason = REASONS.find(([pattern]) => pattern.test(says))?.[1] ?? "failed";
  return { ok: false, reason, says, ...(line !== undefined && { line: Number(line) }) };
}
