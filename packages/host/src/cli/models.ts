/** `galley models`: what each model can take, and where that is known from. */
import { mediaClass } from "@galley/parts";
import { type ModelProfile, modelName } from "@galley/shape";
import { HostError } from "../host-error.ts";
import { modelRow } from "../http/answers.ts";
import { type Io, json } from "./io.ts";
import { type CommonFlags, withPipeline } from "./open-pipeline.ts";
import { table } from "./table.ts";

export function runModels(
  provider: string | undefined,
  flags: CommonFlags & { readonly json?: boolean },
  io: Io,
): Promise<number> {
  return withPipeline(flags, io, async ({ pipeline }) => {
    const all = pipeline.models();
    const known = [...new Set(all.map((each) => each.provider))];
    if (provider !== undefined && !known.includes(provider)) {
      throw HostError.make("no_models", { provider, known });
    }
    const rows = all.filter((each) => provider === undefined || each.provider === provider);
    await io.out(flags.json ? json(rows.map(modelRow)) : table(HEAD, rows.map(cells)));
    return 0;
  });
}

const HEAD = ["model", "window", "output", "takes", "from"];

function cells(profile: ModelProfile): string[] {
  const { contextWindow, maxOutput, accepts, provenance, retires } = profile;
  const takes = [...new Set(accepts.map((pattern) => mediaClass(pattern)))].join(" ");
  const from = `${provenance.source} (${provenance.as_of})`;
  const last = retires ? `; ends ${retires}` : "";
  return [modelName(profile), String(contextWindow), String(maxOutput), takes, from + last];
}
