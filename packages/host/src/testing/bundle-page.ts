/** The page of `use-chat/` as a browser takes it: one script, made of the real packages. */
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const PAGE = fileURLToPath(new URL("../use-chat/page.js", import.meta.url));

export async function bundlePage(): Promise<string> {
  const made = await build({
    input: PAGE,
    write: false,
    platform: "browser",
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    output: { format: "es" },
    logLevel: "silent",
  });
  return made.output[0].code;
}

export const HTML = `<!doctype html><meta charset="utf-8"><title>useChat</title>
<body><script type="module" src="/use-chat.js"></script>`;
