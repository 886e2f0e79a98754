/** Bytes that a model cannot use stay behind, whatever they are called and however large they are. */
import assert from "node:assert/strict";
import type { UserPart } from "@galley/parts";
import type { WireRequest } from "@galley/shape";
import type { Case } from "./case-file.ts";
import { printCase } from "./print-case.ts";
import { PROVIDERS, type Provider } from "./providers.ts";
import { SAMPLES } from "./samples.ts";
import { verifies } from "./verifies.ts";

/** Bytes without a pattern, so that no run of them could stand in a body by chance. */
function noisy(head: string, size: number): string {
  const bytes = Buffer.alloc(size);
  let state = 1;
  for (let at = 0; at < size; at += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    bytes.writeInt32LE(state, at);
  }
  bytes.write(head, "latin1");
  return bytes.toString("base64");
}

const PSD = noisy("8BPS\0\x01", 12_000_000);
const ZIP = noisy("PK\x03\x04", 300_000);
const PDF_AS_PNG = SAMPLES.pdf;

const attached = (name: string, mime: string, data: string): UserPart => ({
  type: "file-attachment",
  name,
  mime,
  data,
});
const referred = (path: string): UserPart => ({ type: "file-ref", ref: { kind: "path", path } });

function print(parts: UserPart[], files: Case["files"], provider: Provider): Promise<WireRequest> {
  const message = { role: "user" as const, parts };
  const given = { rule: "", says: "", name: "", folder: new URL("file:///"), messages: [message] };
  return printCase({ ...given, ...(files && { files }) }, provider);
}

const textOf = ({ body }: WireRequest): string => new TextDecoder().decode(body);

/** No stretch of the base64 text, wherever it might begin. */
function assertAbsent(body: string, base64: string): void {
  for (let at = 0; at + 24 <= base64.length; at += 12) {
    assert.ok(!body.includes(base64.slice(at, at + 24)), `bytes at ${at} are in the body`);
    if (body.length < 4096 && at > 600) return;
  }
}

for (const provider of PROVIDERS) {
  verifies(
    "compositor/attachments/binary-descriptor",
    `${provider.name}: a .psd of 12 MB, an archive and an empty file are described, by name, type and size`,
    async () => {
      const parts = [
        attached("design.psd", "image/vnd.adobe.photoshop", PSD),
        attached("all.zip", "application/zip", ZIP),
        attached("empty.png", "image/png", ""),
      ];
      const request = await print(parts, {}, provider);
      const body = textOf(request);
      assert.deepEqual(
        request.outcomes().map(({ outcome }) => outcome),
        ["descriptor", "descriptor", "descriptor"],
      );
      for (const facts of [
        "design.psd, image/vnd.adobe.photoshop, 12000000 bytes",
        "all.zip, application/zip, 300000 bytes",
        "empty.png, image/png, 0 bytes",
      ]) {
        assert.ok(body.includes(facts), facts);
      }
      assert.ok(body.length < 2000, "the body is a few lines");
      assertAbsent(body, PSD);
      assertAbsent(body, ZIP);
    },
  );

  verifies(
    "compositor/lowering/nothing-lost",
    `${provider.name}: the same by reference, and an unreadable path, keep the turn alive`,
    async () => {
      const files = {
        "design.psd": { base64: noisy("8BPS\0\x01", 1_000_000) },
        "all.zip": { base64: ZIP },
        secret: { unavailable: "permission denied" },
      };
      const parts = [referred("design.psd"), referred("all.zip"), referred("secret")];
      const request = await print(parts, files, provider);
      const body = textOf(request);
      assert.deepEqual(
        request.outcomes().map(({ outcome, bytes }) => [outcome, bytes.length]),
        [
          ["descriptor", 1],
          ["descriptor", 1],
          ["placeholder", 1],
        ],
      );
      assert.ok(body.includes("[file unavailable: secret (permission denied)]"));
      assert.ok(body.length < 2000, "the body is a few lines");
      assertAbsent(body, files["design.psd"].base64);
    },
  );

  verifies(
    "compositor/attachments/sniffed",
    `${provider.name}: a .png that is a PDF goes out as a PDF, never as an image`,
    async () => {
      const parts = [attached("photo.png", "image/png", PDF_AS_PNG), referred("scan.png")];
      const request = await print(parts, { "scan.png": { base64: PDF_AS_PNG } }, provider);
      const body = textOf(request);
      assert.deepEqual(
        request.outcomes().map(({ outcome, detail }) => [outcome, detail]),
        [
          ["native", "application/pdf"],
          ["native", "application/pdf"],
        ],
      );
      assert.ok(!body.includes("image/png") && !/"type":"(input_)?image(_url)?"/.test(body));
      assert.equal(body.split("application/pdf").length - 1, 2);
      assert.equal(body.split(PDF_AS_PNG).length - 1, 2);
    },
  );
}
