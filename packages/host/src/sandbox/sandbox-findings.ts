/** What the doctor says of commands: which sandbox they run in, and what to do when there is none. */
import type { ToolSettings } from "../config/tool-settings.ts";
import type { Finding } from "../pipeline/pipeline.ts";
import type { SandboxSearch } from "./find-sandbox.ts";

export function sandboxFindings(
  search: SandboxSearch,
  { bash, search: engine, notes }: ToolSettings,
): readonly Finding[] {
  return [
    sandboxFinding(search, bash.network),
    engine
      ? { name: "web", status: "ok", says: `searches go to ${new URL(engine.url).host}` }
      : {
          name: "web",
          status: "missing",
          says: "no search: pages can be fetched, not found",
          mend: "set [web.search] url in your own config.toml",
        },
    ...notes.map((says): Finding => {
      const mend = "add the folder to trusted_projects in your own config.toml if you trust it";
      return { name: "trust", status: "warning", says, mend };
    }),
  ];
}

function sandboxFinding(search: SandboxSearch, network: boolean): Finding {
  if (search.ok) {
    const { name } = search.sandbox;
    const says = `commands run in ${name}, ${network ? "with" : "without"} the network`;
    return { name: "sandbox", status: "ok", says };
  }
  const says = `none (${search.reason}): every command is asked about`;
  return { name: "sandbox", status: "warning", says, mend: search.mend };
}
