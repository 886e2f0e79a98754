/** Every body of every case is one that the strict offline model takes. */
import assert from "node:assert/strict";
import { readCases } from "./case-file.ts";
import { parseBody, printCase } from "./print-case.ts";
import { PROVIDERS } from "./providers.ts";
import { refusalBy } from "./rehearse.ts";
import { verifies } from "./verifies.ts";

for (const provider of PROVIDERS) {
  verifies("wire/accepted", `${provider.name}: every case is taken`, async () => {
    const refused: string[] = [];
    for (const each of readCases()) {
      const request = await printCase(each, provider);
      const refusal = refusalBy(provider, request.body, parseBody(request).stream !== false);
      if (refusal) refused.push(`${each.name}: ${refusal}`);
    }
    assert.deepEqual(refused, []);
  });

  verifies("wire/accepted", `${provider.name}: a body with a wrong field is not`, async () => {
    const [first] = readCases();
    assert.ok(first);
    const body = { ...parseBody(await printCase(first, provider)), nonesuch: 1 };
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    assert.match(refusalBy(provider, bytes, true) ?? "taken", /^400 .*nonesuch/);
  });
}
