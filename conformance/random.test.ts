/** Random histories on every provider: taken by the strict model, accounted for to the byte. */
import assert from "node:assert/strict";
import { readMessage } from "@galley/parts";
import fc from "fast-check";
import { FILES, history } from "./arbitrary.ts";
import type { Case } from "./case-file.ts";
import { printCase } from "./print-case.ts";
import { PROVIDERS } from "./providers.ts";
import { refusalBy } from "./rehearse.ts";
import { verifies } from "./verifies.ts";

const layer = fc.record({ id: fc.constant("agent"), text: fc.constantFrom("You help.", " ", "ä") });
const given: fc.Arbitrary<Case> = fc
  .tuple(
    history,
    fc.array(layer, { maxLength: 2 }),
    fc.constantFrom("auto" as const, "off" as const),
  )
  .map(([messages, layers, cache]) => ({
    rule: "",
    says: "",
    name: "random",
    folder: new URL("file:///"),
    messages,
    layers,
    files: FILES,
    settings: { cache },
  }));

const RUNS = { numRuns: 150 };

for (const provider of PROVIDERS) {
  verifies("wire/accepted", `${provider.name}: any history is taken`, async () => {
    await fc.assert(
      fc.asyncProperty(given, async (each) => {
        for (const message of each.messages) {
          const read = readMessage(message);
          assert.ok(read.ok, read.ok ? "" : read.issues.join("; "));
        }
        const { body } = await printCase(each, provider);
        assert.equal(refusalBy(provider, body, true), undefined);
      }),
      RUNS,
    );
  });

  verifies(
    "wire/byte-ranges",
    `${provider.name}: each part has one outcome and its bytes`,
    async () => {
      await fc.assert(
        fc.asyncProperty(given, async (each) => {
          const request = await printCase(each, provider);
          const parts = each.messages.flatMap((message) => message.parts.map(({ type }) => type));
          const outcomes = request.outcomes();
          assert.deepEqual(
            outcomes.map(({ type }) => type),
            parts,
          );
          for (const { bytes, outcome } of outcomes) {
            assert.equal(bytes.length === 0, outcome === "resolved-out");
            for (const [from, to] of bytes) {
              assert.ok(from < to && to <= request.body.length);
              JSON.parse(
                new TextDecoder("utf-8", { fatal: true }).decode(request.body.subarray(from, to)),
              );
            }
          }
        }),
        RUNS,
      );
    },
  );
}
