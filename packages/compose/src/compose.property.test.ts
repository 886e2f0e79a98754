/** The laws, on some thousand drafts; `npm run fuzz` has a million. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createCatalogue } from "./command/catalogue.ts";
import { composeMessage } from "./compose.ts";
import { brokenLaw, chanceOf, LAW_CATALOGUE, lawHost, randomDraft } from "./laws.ts";
import { shellWordsOf } from "./laws-shell.ts";
import { literalText } from "./reopen.ts";
import { expandText } from "./template/expand.ts";
import { parseTemplate } from "./template/parse.ts";
import { DIALECTS } from "./template/tree.ts";

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."$@/\"'{}`\\!#:~(), \n\0"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
});
/** With halves of surrogate pairs: what a clipboard may hold. */
const rawText = fc
  .array(fc.integer({ min: 0, max: 0xffff }))
  .map((codes) => String.fromCharCode(...codes));

test("no draft made by chance breaks a law", async () => {
  const chance = chanceOf(20_26);
  for (let index = 0; index < 3000; index++) {
    const draft = randomDraft(chance);
    assert.equal(await brokenLaw(draft), undefined, JSON.stringify(draft));
  }
});

test("any typed text composes, and its literals give it back", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyText, rawText), async (text) => {
      const composed = await composeMessage(
        { parts: [{ type: "typed", text }] },
        LAW_CATALOGUE,
        lawHost({ shell: [] }),
      );
      if (composed.ok) assert.equal(literalText(composed.message.parts), text);
      else assert.match(composed.error.code, /^compose\.(empty|bad-argument|action-failed)$/);
    }),
    { numRuns: 1500 },
  );
});

test("text with nothing in the catalogue and nothing in the workspace is one text part", async () => {
  const nobody = { kindOf: async () => undefined };
  await fc.assert(
    fc.asyncProperty(
      anyText.filter((text) => text !== "" && !text.startsWith("/")),
      async (text) => {
        const composed = await composeMessage(
          { parts: [{ type: "typed", text }] },
          createCatalogue([]),
          nobody,
        );
        const parts = composed.ok ? composed.message.parts : [];
        const isUrl = parts.some((part) => part.type === "file-ref");
        if (!isUrl) assert.deepEqual(parts, [{ type: "text", text }]);
      },
    ),
    { numRuns: 1500 },
  );
});

test("any text is a template in every dialect, and argument text goes in as it is", () => {
  fc.assert(
    fc.property(anyText, anyText, fc.constantFrom(...DIALECTS), (author, argument, dialect) => {
      const args = { raw: argument, argv: [argument] };
      assert.equal(typeof expandText(parseTemplate(author, dialect), args), "string");
      const slot = dialect === "gemini" ? "{{args}}" : "$ARGUMENTS";
      assert.equal(expandText(parseTemplate(`a ${slot} b`, dialect), args), `a ${argument} b`);
    }),
    { numRuns: 1500 },
  );
});

test("a template without slots and arguments is the author's text", () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(...DIALECTS), (author, dialect) => {
      const inert = author.replace(/[$\\!@{`]/g, "");
      assert.equal(expandText(parseTemplate(inert, dialect), { raw: "", argv: [] }), inert);
    }),
  );
});

test("the laws' own shell reads words and refuses what would do more", () => {
  assert.deepEqual(shellWordsOf(`run 'a b' "c"'d' \\x`), ["run", "a b", "cd", "x"]);
  assert.equal(shellWordsOf('run "$(id)"'), undefined);
  assert.equal(shellWordsOf("run a; id"), undefined);
  assert.equal(shellWordsOf("run 'open"), undefined);
});
