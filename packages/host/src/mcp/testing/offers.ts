/** What the test server offers: tools that answer, tools that fail in their own way, and prompts. */
import process from "node:process";

type Input = Readonly<Record<string, unknown>>;
type Call = (input: Input) => Promise<Record<string, unknown>>;

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==";

const text = (value: string): Record<string, unknown> => ({
  content: [{ type: "text", text: value }],
});

const object = (properties: Input = {}, more: Input = {}): Input => ({
  type: "object",
  properties,
  ...more,
});

export const TOOLS: readonly Input[] = [
  {
    name: "echo",
    description: "Gives back what it is given.",
    inputSchema: object({ text: { type: "string" } }, { required: ["text"] }),
  },
  { name: "env", description: "Tells its environment.", inputSchema: object() },
  { name: "picture", description: "Gives a picture.", inputSchema: object() },
  { name: "fails", description: "Fails.", inputSchema: object() },
  { name: "throws", description: "Answers with an error.", inputSchema: object() },
  { name: "odd", description: "Gives what nobody knows.", inputSchema: object() },
  { name: "structured", description: "Gives structure alone.", inputSchema: object() },
  { name: "huge", description: `Gives much. ${"Much. ".repeat(100)}`, inputSchema: object() },
  { name: "hang", description: "Never answers.", inputSchema: object() },
  { name: "freeze", description: "Never answers anybody again.", inputSchema: object() },
  { name: "crash", description: "Ends the server.", inputSchema: object() },
  { name: "change", description: "Adds a tool.", inputSchema: object() },
  {
    name: "slow pattern",
    description: "Has a pattern without an end.",
    inputSchema: object({ word: { type: "string", pattern: "^(a+)+$" } }),
  },
  {
    name: "broken-pattern",
    description: "Has a pattern that is none.",
    inputSchema: object({ word: { type: "string", pattern: "(" } }),
  },
  { name: "not-an-object", inputSchema: { type: "string" } },
  { name: "one-of", inputSchema: { type: "object", oneOf: [{ required: ["a"] }] } },
  { name: 7, inputSchema: object() },
];

export const CALLS: Readonly<Record<string, Call>> = {
  echo: async ({ text: value }) => text(String(value)),
  env: async () => text(JSON.stringify(process.env)),
  picture: async () => ({
    content: [
      { type: "image", mimeType: "image/png", data: PIXEL },
      { type: "text", text: "a pixel" },
    ],
  }),
  fails: async () => ({ ...text("there is no such issue"), isError: true }),
  throws: async () => {
    throw new Error("the database is away");
  },
  odd: async () => ({ content: [{ type: "hologram", depth: 3 }] }),
  structured: async () => ({ content: [], structuredContent: { count: 3 } }),
  huge: async () => text("grün ".repeat(100_000)),
  hang: () => new Promise(() => {}),
  freeze: async () => {
    for (;;);
  },
  crash: async () => {
    process.stderr.write("out of cheese\n");
    process.exit(9);
  },
};

export const PROMPTS: readonly Input[] = [
  {
    name: "review",
    description: "Reviews a file.",
    arguments: [
      { name: "file", description: "Which one.", required: true },
      { name: "style", description: "How." },
    ],
  },
  { name: "two words", title: "Has a space." },
  { name: "bad", arguments: "none" },
];

export function promptMessages({ name, arguments: given }: Input): Record<string, unknown> {
  if (name !== "review") throw new Error("no such prompt");
  return {
    messages: [
      { role: "user", content: { type: "text", text: `Review ${JSON.stringify(given)}` } },
      { role: "assistant", content: { type: "text", text: "I will." } },
      { role: "user", content: { type: "image", mimeType: "image/png", data: PIXEL } },
      {
        role: "user",
        content: { type: "resource", resource: { uri: "test://a/notes.md", text: "# Notes" } },
      },
    ],
  };
}
