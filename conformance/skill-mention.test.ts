/** What a mention of a skill makes of a turn: the host calls the real tool before the model speaks. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost } from "@galley/host";
import { startRehearsal } from "@galley/rehearsal";
import { verifies } from "./verifies.ts";

const SKILL = `---
name: plums
description: How plums are kept
---
Keep plums cool.
`;

/** The bodies of the requests that these messages make, one after the other. */
async function requestsFor(texts: readonly string[]): Promise<readonly string[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "galley-skill-")));
  await mkdir(join(folder, ".agents/skills/plums"), { recursive: true });
  await writeFile(join(folder, ".agents/skills/plums/SKILL.md"), SKILL);
  const rehearsal = await startRehearsal({ script: () => ({ say: "Very well." }) });
  try {
    await sendAll(texts, folder, rehearsal.url);
    return rehearsal.received.map(({ body }) => new TextDecoder().decode(body));
  } finally {
    await rehearsal.close();
    await rm(folder, { recursive: true });
  }
}

async function sendAll(texts: readonly string[], folder: string, model: string): Promise<void> {
  const host = await createHost({
    workspace: folder,
    home: join(folder, "home"),
    env: { GALLEY_MODEL: "rehearsal/default" },
    offline: { url: async () => model, close: async () => {} },
  });
  try {
    const { id } = await host.sessions.create({});
    for (const text of texts) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = host.sessions.listen(({ type }) => {
        if (type === "turn-finished") resolve();
      });
      await host.submit(id, { input: { text }, payload: { text } });
      await promise;
      stop();
    }
  } finally {
    await host.close(0);
  }
}

const countOf = (text: string, word: string): number => text.split(word).length - 1;

verifies(
  "compositor/mentions/skill-body-by-tool",
  "the body comes as the result of a true call, once, however often it is mentioned",
  async () => {
    const [first = "", second = "", ...more] = await requestsFor([
      "How do I keep them? @skill:plums",
      "And now? @skill:plums",
    ]);
    assert.deepEqual(more, []);
    assert.match(first, /"type":"tool_use".*"name":"skill"/);
    assert.match(first, /"type":"tool_result"/);
    assert.equal(countOf(first, "Keep plums cool."), 1);
    assert.equal(countOf(second, "Keep plums cool."), 1);
    assert.doesNotMatch(second, /@skill:plums/);
  },
);
