import assert from "node:assert/strict";
import { test } from "node:test";
import { createPathIndex, type Hit } from "./path-index.ts";

const paths = (hits: readonly Hit[]): readonly string[] => hits.map(({ path }) => path);
const pause = async (): Promise<void> => {};

test("twenty hits are given unless another limit is asked for", () => {
  const index = createPathIndex(Array.from({ length: 30 }, (_, nth) => `a${nth}`));
  assert.equal(index.search("a").length, 20);
  assert.equal(index.search("a", { limit: 3 }).length, 3);
  assert.equal(index.search("a", { limit: Number.POSITIVE_INFINITY }).length, 30);
  assert.deepEqual(index.search("a", { limit: 0 }), []);
});

test("an empty query gives the shortest, then by code units", () => {
  const index = createPathIndex(["bb", "b", "a", "ccc"]);
  assert.deepEqual(paths(index.search("")), ["a", "b", "bb", "ccc"]);
  assert.deepEqual(paths(index.search(" \t")), ["a", "b", "bb", "ccc"]);
});

test("a text that ends with a slash is a directory, any other a file", () => {
  const [directory, file] = createPathIndex(["src/", "src.ts"]).search("src");
  assert.deepEqual([directory?.path, directory?.kind], ["src/", "directory"]);
  assert.deepEqual([file?.path, file?.kind], ["src.ts", "file"]);
});

test("only the kinds asked for are found, and narrowing does not forget the others", () => {
  const index = createPathIndex(["review.ts", { path: "review", kind: "skill" }]);
  assert.deepEqual(paths(index.search("re", { kinds: ["skill"] })), ["review"]);
  assert.deepEqual(paths(index.search("rev", { kinds: ["file"] })), ["review.ts"]);
  assert.deepEqual(paths(index.search("revi", { kinds: [] })), []);
  assert.deepEqual(paths(index.search("revie")), ["review", "review.ts"]);
});

test("one text can be of two kinds, which go by name", () => {
  const index = createPathIndex([
    { path: "lint", kind: "skill" },
    { path: "lint", kind: "node" },
  ]);
  const kinds = index.search("lint").map(({ kind }) => kind);
  assert.deepEqual(kinds, ["node", "skill"]);
  index.remove([{ path: "lint", kind: "node" }]);
  assert.deepEqual(
    index.search("lint").map(({ kind }) => kind),
    ["skill"],
  );
});

test("what is added twice is there once, and what is not there is not removed", () => {
  const index = createPathIndex(["a", "a"]);
  index.add(["a", "b"]);
  assert.equal(index.size, 2);
  index.remove(["c", "a/"]);
  assert.equal(index.size, 2);
});

test("what comes and goes is found at once", () => {
  const index = createPathIndex(["one.ts"]);
  assert.deepEqual(paths(index.search("o")), ["one.ts"]);
  index.add(["o.ts"]);
  assert.deepEqual(paths(index.search("o")), ["o.ts", "one.ts"]);
  index.remove(["o.ts"]);
  assert.deepEqual(paths(index.search("o", { limit: 1 })), ["one.ts"]);
});

test("a replacement leaves exactly what it names", () => {
  const index = createPathIndex(["a", "b", "c"]);
  index.replace(["b", "d"]);
  assert.deepEqual(paths(index.search("")), ["b", "d"]);
});

test("an index is the same after its store was built anew", () => {
  const many = Array.from({ length: 5000 }, (_, nth) => `dir/file-${nth}.ts`);
  const index = createPathIndex(many);
  index.remove(many.slice(0, 4990));
  assert.equal(index.size, 10);
  assert.deepEqual(paths(index.search("file499 ts", { limit: 3 })), [
    "dir/file-4990.ts",
    "dir/file-4991.ts",
    "dir/file-4992.ts",
  ]);
  index.remove(["dir/file-4991.ts"]);
  assert.equal(index.size, 9);
  assert.deepEqual(paths(index.search("file4991")), []);
  assert.deepEqual(paths(index.search("file4992")), ["dir/file-4992.ts"]);
});

test("a search in slices says how far it is and pauses between them", async () => {
  const index = createPathIndex(Array.from({ length: 10 }, (_, nth) => `a${nth}`));
  assert.deepEqual([...index.searchSlices("a", { sliceCount: 4 })], [4, 8]);
  let pauses = 0;
  const end = await index.searchAsync("a", {
    sliceCount: 4,
    pause: async () => {
      pauses += 1;
    },
  });
  assert.equal(pauses, 2);
  assert.equal(end.ended === "found" && end.hits.length, 10);
});

test("an aborted search ends without hits", async () => {
  const index = createPathIndex(Array.from({ length: 10 }, (_, nth) => `a${nth}`));
  const signal = { aborted: false };
  let pauses = 0;
  const end = await index.searchAsync("a", {
    sliceCount: 1,
    signal,
    pause: async () => {
      pauses += 1;
      signal.aborted = pauses === 3;
    },
  });
  assert.deepEqual(end, { ended: "aborted" });
  assert.equal(pauses, 3);
});

test("a search under way leaves out what is removed meanwhile, and is not kept for narrowing", async () => {
  const index = createPathIndex(["ax", "ay", "az"]);
  const slices = index.searchSlices("a", { sliceCount: 1 });
  slices.next();
  slices.next();
  index.remove(["ax"]);
  index.add(["aw"]);
  let step = slices.next();
  while (!step.done) step = slices.next();
  assert.deepEqual(paths(step.value), ["ay", "az"]);
  assert.deepEqual(paths(index.search("aw")), ["aw"]);
});

test("a search under way survives a store built anew", async () => {
  const many = Array.from({ length: 4000 }, (_, nth) => `f${nth}`);
  const index = createPathIndex([...many, "keep"]);
  const slices = index.searchSlices("k", { sliceCount: 1000 });
  slices.next();
  index.remove(many);
  index.add(["kept"]);
  let step = slices.next();
  while (!step.done) step = slices.next();
  assert.deepEqual(paths(step.value), ["keep"]);
});

test("searches that overlap do not disturb each other", async () => {
  const index = createPathIndex(["alpha", "beta", "gamma", "delta"]);
  const ask = (query: string) => index.searchAsync(query, { sliceCount: 1, pause });
  const ends = await Promise.all(["a", "al", "b", "ta"].map(ask));
  assert.deepEqual(
    ends.map((end) => (end.ended === "found" ? paths(end.hits) : [])),
    [["alpha", "beta", "delta", "gamma"], ["alpha"], ["beta"], ["beta", "delta"]],
  );
});
