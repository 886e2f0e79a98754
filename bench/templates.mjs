/**
 * Template expansion beside pi's own: the same command line, from the typed text to the text that
 * the model reads. Both have the template loaded; ours parsed it into a tree when it was loaded,
 * pi's keeps the text. Arguments are split on every call, on both sides.
 */
import { expandText, parseTemplate, splitWords } from "@galley/compose";
import { median } from "./measure.mjs";
import { expandPromptTemplate } from "./node_modules/@mariozechner/pi-coding-agent/dist/core/prompt-templates.js";

const paragraph =
  "Look at what changed and say plainly what is wrong with it, in order of weight. ";
const CASES = {
  "short, one slot": "Review $1 and be brief.",
  "2 kB, five slots": `# Review $1\n\n${paragraph.repeat(12)}\n\nFocus: $2\nRest: \${@:3}\nAll: $@\n\n${paragraph.repeat(12)}\nEnd of $1.`,
  "20 kB, no slot": paragraph.repeat(250),
};
// No quotes: pi takes them out of `$@`, ours leaves what was typed, and the results must be equal.
const LINE = "/review src/foo.ts critical and some more words";
const CALLS = 20_000;

function perSecond(run) {
  for (let call = 0; call < CALLS / 4; call += 1) run();
  const rates = Array.from({ length: 7 }, () => {
    const start = performance.now();
    for (let call = 0; call < CALLS; call += 1) run();
    return CALLS / ((performance.now() - start) / 1000);
  });
  return median(rates);
}

function ours(content) {
  const template = parseTemplate(content, "pi");
  return () => {
    const raw = LINE.slice(LINE.indexOf(" ") + 1);
    return expandText(template, { raw, argv: splitWords(raw) });
  };
}

function pi(content) {
  const templates = [{ name: "review", description: "", content, filePath: "", sourceInfo: {} }];
  return () => expandPromptTemplate(LINE, templates);
}

export async function run() {
  const rows = Object.entries(CASES).map(([name, content]) => {
    const [mine, theirs] = [ours(content), pi(content)];
    if (name !== "20 kB, no slot" && mine() !== theirs()) {
      throw new Error(`${name}: the two expansions differ\n${mine()}\n---\n${theirs()}`);
    }
    const [a, b] = [perSecond(mine), perSecond(theirs)];
    return [name, a, b, `${(a / b).toFixed(1)} ×`].map((cell) =>
      typeof cell === "number" ? Math.round(cell).toLocaleString("en") : cell,
    );
  });
  const head = ["expansions a second", "galley", "pi-coding-agent 0.73.1", "galley ÷ pi"];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
