/**
 * What a model cannot read it can open: a descriptor names the tool, and that tool, called as the
 * descriptor says, gives the content. On a real host, with the strict offline model.
 */
import assert from "node:assert/strict";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost } from "@galley/host";
import type { UserPart } from "@galley/parts";
import { type Script, startRehearsal } from "@galley/rehearsal";
import { SAMPLES } from "./samples.ts";
import { verifies } from "./verifies.ts";

/** The bodies of the requests that this message makes. */
async function requestsFor(part: UserPart, script: Script): Promise<readonly string[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "galley-reach-")));
  const rehearsal = await startRehearsal({ script });
  const host = await createHost({
    workspace: folder,
    home: join(folder, "home"),
    env: { GALLEY_MODEL: "rehearsal/default" },
    offline: { url: async () => rehearsal.url, close: async () => {} },
  });
  try {
    const { id } = await host.sessions.create({});
    const { promise, resolve } = Promise.withResolvers<void>();
    host.sessions.listen(({ type }) => {
      if (type === "turn-finished") resolve();
    });
    const parts = [part, { type: "text", text: "What is in it?" }] as UserPart[];
    await host.submit(id, { input: { parts }, payload: {} });
    await promise;
    return rehearsal.received.map(({ body }) => new TextDecoder().decode(body));
  } finally {
    await host.close(0);
    await rehearsal.close();
    await rm(folder, { recursive: true });
  }
}

const LONG_TEXT = Buffer.from(`${"a line of many\n".repeat(3000)}the last line`).toString("base64");

verifies(
  "compositor/attachments/fallback-path",
  "a text that is too long to be written out is opened by the tool that its descriptor names",
  async () => {
    const attached = {
      type: "file-attachment",
      name: "long.txt",
      mime: "text/plain",
      data: LONG_TEXT,
    };
    const call = { name: "read", input: { attachment: "long.txt", start_line: 3001 } };
    const [first = "", second = ""] = await requestsFor(attached, [
      { toolCalls: [call] },
      { say: "The last line." },
    ]);
    assert.match(
      first,
      /over 32768 bytes of text; the read tool opens it[^\]]*attachment: long\.txt\]/,
    );
    assert.doesNotMatch(first, /the last line/);
    assert.match(second, /the last line/);
  },
);

verifies(
  "compositor/attachments/fallback-path",
  "an archive names the tools that look into it, and they find its files",
  async () => {
    const attached = {
      type: "file-attachment",
      name: "some.zip",
      mime: "application/zip",
      data: SAMPLES.zip,
    };
    const call = { name: "archive_list", input: { attachment: "some.zip" } };
    const [first = "", second = ""] = await requestsFor(attached, [
      { toolCalls: [call] },
      { say: "A file." },
    ]);
    assert.match(first, /the archive_list tool names its files[^\]]*attachment: some\.zip\]/);
    assert.match(second, /"type":"tool_result"/);
  },
);

verifies(
  "compositor/attachments/fallback-path",
  "bytes that no tool takes by name are said to be out of reach, and an address names the tool",
  async () => {
    const unknown = Buffer.from([0, 1, 2, 255, 254, 0, 7]).toString("base64");
    const blob = { type: "file-attachment", name: "x.bin", mime: "x/y", data: unknown };
    const [first = ""] = await requestsFor(blob, [{ say: "No." }]);
    assert.match(first, /x\.bin[^\]]*no tool here opens it\]/);
    const url = "https://example.org/a.pdf";
    const far = { type: "file-attachment", name: "a.pdf", mime: "application/pdf", url };
    const [asked = ""] = await requestsFor(far, [{ say: "No." }]);
    assert.match(asked, /the web_fetch tool reads https:\/\/example\.org\/a\.pdf\]/);
  },
);
