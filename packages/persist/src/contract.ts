/**
 * What every `Store` must do, as tests. Call it from the test file of an implementation; it brings no
 * knowledge of any.
 */
import { describe } from "node:test";
import { admissionContract } from "./contract/admission.ts";
import { answerContract } from "./contract/answers.ts";
import { blobContract } from "./contract/blobs.ts";
import type { MakeStore } from "./contract/kit.ts";
import { queueContract } from "./contract/queue.ts";
import { recordContract } from "./contract/records.ts";
import { rewindContract } from "./contract/rewinds.ts";
import { sessionContract } from "./contract/sessions.ts";
import { transactionContract } from "./contract/transactions.ts";
import { transferContract } from "./contract/transfer.ts";

export function storeContract(name: string, makeStore: MakeStore): void {
  describe(`${name} keeps the store contract`, () => {
    sessionContract(makeStore);
    admissionContract(makeStore);
    queueContract(makeStore);
    answerContract(makeStore);
    rewindContract(makeStore);
    blobContract(makeStore);
    recordContract(makeStore);
    transactionContract(makeStore);
    transferContract(makeStore);
  });
}
