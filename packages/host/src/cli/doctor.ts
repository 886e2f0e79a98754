/** `galley doctor`: what is set up, what is missing, what to do. */
import { type Io, json } from "./io.ts";
import { type CommonFlags, withPipeline } from "./open-pipeline.ts";
import { table } from "./table.ts";

export function runDoctor(
  flags: CommonFlags & { readonly json?: boolean },
  io: Io,
): Promise<number> {
  return withPipeline(flags, io, async ({ pipeline }) => {
    const findings = await pipeline.doctor();
    const rows = findings.map(({ name, status, says, mend }) => [
      status,
      name,
      mend === undefined ? says : `${says}; ${mend}`,
    ]);
    await io.out(flags.json ? json(findings) : table(["status", "what", "says"], rows));
    return 0;
  });
}
