/** What a reference turns out to hold: the policy of reading, and failures as materials. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileRef, Range, UserPart } from "@galley/parts";
import type { Material } from "./context.ts";
import {
  type AttachedFile,
  DEFAULT_LOAD_POLICY,
  type Loader,
  materializeParts,
  toBase64,
} from "./materialize.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const HASH = `sha256:${"ab".repeat(32)}`;
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

type File = Uint8Array | Error;

function loaderOf(files: Readonly<Record<string, File>>): Loader {
  const find = (ref: FileRef): Uint8Array | undefined => {
    const name = ref.kind === "path" ? ref.path : ref.kind === "url" ? ref.url : ref.content_id;
    const file = files[name];
    if (file instanceof Error) throw file;
    return file;
  };
  return {
    async read(ref, maxBytes) {
      const bytes = find(ref);
      if (!bytes) return { kind: "unavailable", reason: "no such file" };
      if (bytes.length > maxBytes)
        return { kind: "head", bytes: bytes.subarray(0, 64), size: bytes.length };
      return { kind: "whole", bytes, sha256: "00ff", mtime_ms: 5 };
    },
    async readRange(ref, range) {
      const bytes = find(ref);
      if (!bytes) return { kind: "unavailable", reason: "no such file" };
      return {
        kind: "range",
        bytes: cut(bytes, range),
        size: bytes.length,
        shown: range,
        note: "n",
      };
    },
    directoryProblem: async (path) => (path === "src" ? undefined : "no such directory"),
    async entity(target) {
      if (target.kind !== "node") return undefined;
      return { kind: "ref", source: "canvas", payload: { id: "n1" } };
    },
  };
}

function cut(bytes: Uint8Array, { start, end, unit }: Range): Uint8Array {
  if (unit === "byte") return bytes.subarray(start, end);
  const lines = new TextDecoder().decode(bytes).split("\n");
  return utf8(lines.slice(start - 1, end).join("\n"));
}

const ref = (path: string, range?: Range): UserPart => ({
  type: "file-ref",
  ref: { kind: "path", path, ...(range && { range }) },
});

async function one(
  part: UserPart,
  files: Readonly<Record<string, File>> = {},
  policy = DEFAULT_LOAD_POLICY,
): Promise<Material | undefined> {
  const [material] = await materializeParts([part], loaderOf(files), policy);
  return material;
}

test("a small text is read out, with the facts of the moment it was read", async () => {
  assert.deepEqual(await one(ref("a.ts"), { "a.ts": utf8("hé") }), {
    kind: "text",
    text: "hé",
    mime: "text/plain",
    size: 3,
    sha256: "00ff",
    mtime_ms: 5,
  });
});

test("a text is read out up to 32 KB, and named from the next byte on", async () => {
  const at = await one(ref("a"), { a: utf8("x".repeat(32_768)) });
  assert.equal(at?.kind, "text");
  assert.deepEqual(await one(ref("a"), { a: utf8("x".repeat(32_769)) }), {
    kind: "descriptor",
    mime: "text/plain",
    size: 32_769,
    reason: "over 32768 bytes of text",
    reach: "the read tool opens it",
  });
});

test("the policy `descriptor` names every whole text, however small", async () => {
  const policy = { ...DEFAULT_LOAD_POLICY, fileRefs: "descriptor" } as const;
  assert.deepEqual(await one(ref("a"), { a: utf8("x") }, policy), {
    kind: "descriptor",
    mime: "text/plain",
    size: 1,
    reason: "files are named, not read out",
    reach: "the read tool opens it",
  });
});

test("a range is read out whatever the policy and the size of the file", async () => {
  const policy = { ...DEFAULT_LOAD_POLICY, fileRefs: "descriptor" } as const;
  const big = utf8(`one\ntwo\nthree\n${"x".repeat(40_000)}`);
  assert.deepEqual(await one(ref("a", { start: 2, end: 3 }), { a: big }, policy), {
    kind: "text",
    text: "two\nthree",
    size: 40_014,
    shown: { start: 2, end: 3 },
    note: "n",
  });
});

test("a range whose bytes are no text is named", async () => {
  assert.deepEqual(await one(ref("a", { start: 0, end: 1, unit: "byte" }), { a: utf8("é") }), {
    kind: "descriptor",
    size: 2,
    reason: "the range is not text",
    reach: "the read tool opens it",
  });
});

test("an empty file is a text that says so, not a failure", async () => {
  assert.deepEqual(await one(ref("a"), { a: new Uint8Array() }), {
    kind: "text",
    text: "",
    note: "the file is empty",
    size: 0,
    sha256: "00ff",
    mtime_ms: 5,
  });
});

test("media keep their bytes and are typed by them, whatever the name says", async () => {
  assert.deepEqual(await one(ref("notes.txt"), { "notes.txt": PNG }), {
    kind: "bytes",
    mime: "image/png",
    base64: "iVBORw0KGgo=",
    size: 8,
    sha256: "00ff",
    mtime_ms: 5,
    reach: "the read tool opens it",
  });
});

test("a text that turns out not to be UTF-8 later on is bytes without a type", async () => {
  const bytes = new Uint8Array(6000).fill(97);
  bytes[5999] = 0xff;
  const material = await one(ref("a"), { a: bytes });
  assert.equal(material?.kind, "bytes");
  assert.equal(material?.kind === "bytes" ? material.mime : "", undefined);
});

test("a file over the limit is typed by its head and named", async () => {
  const policy = { ...DEFAULT_LOAD_POLICY, mediaBytes: 100 };
  const psd = new Uint8Array(101);
  psd.set(utf8("8BPS"));
  assert.deepEqual(await one(ref("a.psd"), { "a.psd": psd }, policy), {
    kind: "descriptor",
    mime: "image/vnd.adobe.photoshop",
    size: 101,
    reason: "over 100 bytes",
    reach: "the read tool opens it",
  });
});

test("a missing file and a missing directory are materials that say why", async () => {
  assert.deepEqual(await one(ref("nope")), { kind: "unavailable", reason: "no such file" });
  const gone: UserPart = { type: "directory-ref", ref: { kind: "path", path: "nope" } };
  assert.deepEqual(await one(gone), { kind: "unavailable", reason: "no such directory" });
});

test("a loader that throws costs one part and not the message", async () => {
  const parts = [ref("bad"), ref("good"), ref("bad", { start: 1, end: 1 })];
  const files = { bad: new Error("EACCES: permission denied"), good: utf8("x") };
  const materials = await materializeParts(parts, loaderOf(files));
  const denied = { kind: "unavailable", reason: "EACCES: permission denied" };
  assert.deepEqual([materials[0], materials[2]], [denied, denied]);
  assert.equal(materials[1]?.kind, "text");
});

test("a directory is named, with the way in", async () => {
  const part: UserPart = { type: "directory-ref", ref: { kind: "path", path: "src" } };
  assert.deepEqual(await one(part), {
    kind: "descriptor",
    reason: "a directory",
    reach: "its files can be listed and read",
  });
});

test("an address is never fetched, as a reference or as an attachment", async () => {
  const url = "https://example.org/a.pdf";
  const files = { [url]: utf8("fetched") };
  const named = {
    kind: "descriptor",
    reason: "an address is not fetched on its own",
  };
  assert.deepEqual(await one({ type: "file-ref", ref: { kind: "url", url } }, files), named);
  const attached: UserPart = { type: "file-attachment", name: "a", mime: "application/pdf", url };
  const at = { mime: "application/pdf", reach: "it is at https://example.org/a.pdf" };
  assert.deepEqual(await one(attached, files), { ...named, ...at });
  const fetched = (address: string) => `fetch reads ${address}`;
  const [told] = await materializeParts([attached], loaderOf({}), {
    ...DEFAULT_LOAD_POLICY,
    fetched,
  });
  assert.equal(told?.kind === "descriptor" && told.reach, `fetch reads ${url}`);
});

test("an attachment is loaded by its content id; one with its bytes needs nothing", async () => {
  const base = { type: "file-attachment", name: "a.png", mime: "image/png" } as const;
  const stored = await one({ ...base, content_id: HASH }, { [HASH]: PNG });
  assert.equal(stored?.kind, "bytes");
  assert.equal(stored?.kind === "bytes" ? stored.reach : "", undefined);
  assert.equal(await one({ ...base, data: "aaaa", content_id: HASH }, { [HASH]: PNG }), undefined);
  const named = { ...base, content_id: HASH, delivery: "descriptor" } as const;
  assert.equal(await one(named, { [HASH]: PNG }), undefined);
});

test("something attached is told with the tool that takes it by name, wherever its bytes are", async () => {
  const policy = {
    ...DEFAULT_LOAD_POLICY,
    attached: ({ name, mime, declared }: AttachedFile) => `${name} ${mime} ${declared}`,
  };
  const made = async (over: object) => {
    const part = { type: "file-attachment", name: "a.x", mime: "x/y", ...over } as UserPart;
    return (await materializeParts([part], loaderOf({ [HASH]: PNG }), policy))[0];
  };
  const reach = "a.x image/png x/y";
  assert.deepEqual(await made({ data: toBase64(PNG) }), { kind: "attached", reach });
  const stored = await made({ content_id: HASH });
  assert.equal(stored?.kind === "bytes" && stored.reach, reach);
  const named = await made({ content_id: HASH, delivery: "descriptor" });
  assert.deepEqual(named, { kind: "attached", reach: "a.x undefined x/y" });
  assert.equal(await made({ delivery: "descriptor" }), undefined);
});

test("mentions: a file is read, an entity is looked up, a skill is left to its tool", async () => {
  const mention = (target: { kind: string; path?: string; range?: Range }): UserPart => ({
    type: "mention",
    target,
  });
  const files = { "a.ts": utf8("one\ntwo") };
  const whole = await one(mention({ kind: "file", path: "a.ts" }), files);
  assert.equal(whole?.kind === "text" ? whole.text : "", "one\ntwo");
  const line = mention({ kind: "file", path: "a.ts", range: { start: 2, end: 2 } });
  const second = await one(line, files);
  assert.equal(second?.kind === "text" ? second.text : "", "two");
  assert.deepEqual(await one(mention({ kind: "node" })), {
    kind: "entity",
    context: { kind: "ref", source: "canvas", payload: { id: "n1" } },
  });
  assert.equal(await one(mention({ kind: "symbol" })), undefined);
  assert.equal(await one(mention({ kind: "skill" })), undefined);
});

test("a command's expansion is materialized part by part; one without has nothing to load", async () => {
  const part: UserPart = {
    type: "command",
    id: "/x",
    outcome: "expanded",
    expansion: [
      { type: "text", text: "read" },
      { type: "file-ref", ref: { kind: "path", path: "a.ts" } },
      { type: "file-ref", ref: { kind: "path", path: "nope" } },
    ],
  };
  const material = await one(part, { "a.ts": utf8("x") });
  assert.deepEqual(material?.kind === "parts" ? material.materials.map((each) => each?.kind) : [], [
    undefined,
    "text",
    "unavailable",
  ]);
  assert.equal(await one({ type: "command", id: "/x" }), undefined);
});

test("materials are aligned with parts, unknown ones included", async () => {
  const parts: UserPart[] = [{ type: "x/y" }, ref("a"), { type: "text", text: "t" }];
  const materials = await materializeParts(parts, loaderOf({ a: utf8("x") }));
  assert.deepEqual(
    materials.map((each) => each?.kind),
    [undefined, "text", undefined],
  );
});

test("base64 holds for any length, across the joints of its pieces", () => {
  for (const length of [0, 1, 2, 3, 0x8000, 0x8001, 0x10002]) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 7) % 256);
    assert.equal(toBase64(bytes), Buffer.from(bytes).toString("base64"));
  }
});
