/** Each folder of `cases/` shows one rule: what goes in, and what each provider is sent. */
import { describe, test } from "node:test";
import { readCases } from "./case-file.ts";
import { golden } from "./golden.ts";
import { conversationOf, parseBody, printCase } from "./print-case.ts";
import { PROVIDERS } from "./providers.ts";

for (const each of readCases()) {
  describe(`${each.name}: ${each.says}`, () => {
    for (const provider of PROVIDERS) {
      test(provider.name, async () => {
        const request = await printCase(each, provider);
        const body = parseBody(request);
        golden(new URL(`${provider.name}.json`, each.folder), {
          outcomes: request.outcomes().map(({ bytes: _, ...outcome }) => outcome),
          body: each.show === "whole" ? body : conversationOf(body),
        });
      });
    }
  });
}
