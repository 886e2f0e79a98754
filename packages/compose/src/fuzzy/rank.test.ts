/** Which of two paths wins, and why: the scoring as a table. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPathIndex } from "./path-index.ts";

type Row = readonly [query: string, winner: string, loser: string, why: string];

const WINS: readonly Row[] = [
  ["walk.ts", "walk.ts", "src/walk.ts", "the whole path is before a whole name"],
  ["src/a.ts", "src/a.ts", "lib/src/a.ts", "the whole path is before the end of one"],
  ["walk.ts", "a/b/c/walk.ts", "walk.tsx", "a whole name is before the beginning of one"],
  ["index", "lib/deep/down/index.ts", "indexer.ts", "a name without its ending is nearly whole"],
  ["ind", "lib/deep/index.ts", "ind/deep/lib.ts", "the name counts more than a directory"],
  ["comp", "src/compose.ts", "src/recompute.ts", "the beginning of a name is before its middle"],
  ["user", "app/user-list.ts", "user/app-list.ts", "a prefix of the name beats one of the path"],
  ["gitignore", ".gitignore", "gitignore-list/a.ts", "a hidden file is asked for without its dot"],
  ["host/src", "a/host/src/", "a/host/src/main.ts", "a directory that is spelled out is first"],
  ["src/wal", "host/src/walk.ts", "src/x/wal/y.ts", "the last segments, spelled from a start"],
  ["sw", "src/walk.ts", "tsww.ts", "beginnings of segments are before letters inside"],
  ["fb", "fooBar.ts", "fobbler.ts", "a hump of camel case is a beginning"],
  ["hs", "HTTPServer.ts", "hexes-a.ts", "so is the last of several capitals"],
  ["fb", "foo_bar.ts", "foolab.ts", "so is what follows an underscore"],
  ["fb", "foo-bar.ts", "foolab.ts", "or a hyphen"],
  ["fb", "foo.bar", "foolabx", "or a dot"],
  ["v2", "api-v2.ts", "vx-a-2.ts", "neighbours are before scattered letters"],
  ["part", "x/a-part.ts", "x/a-paxrt.ts", "an unbroken run is before a broken one"],
  ["abc", "x/ab-c.ts", "x/ab-xxxxxx-c.ts", "a short gap is before a long one"],
  ["api user", "api/user.ts", "a/pi/xuser.ts", "every term is weighed"],
  ["ts", "a.ts", "ab.ts", "equal in the rest, the shorter path is first"],
  ["ts", "a.ts", "b.ts", "equal in length too, the lesser code unit is first"],
  ["é", "é.md", "caf-é.md", "letters beyond ASCII count as others do"],
];

for (const [query, winner, loser, why] of WINS) {
  test(`${query}: ${winner} before ${loser}, because ${why}`, () => {
    const hits = createPathIndex([loser, winner]).search(query);
    assert.deepEqual(
      hits.map(({ path }) => path),
      [winner, loser],
    );
  });
}

type Case = readonly [query: string, path: string, positions: readonly number[]];

const MARKED: readonly Case[] = [
  ["walk", "src/walk.ts", [4, 5, 6, 7]],
  ["sw", "src/walk.ts", [0, 4]],
  ["s/w", "src/walk.ts", [0, 3, 4]],
  ["src/", "lib/src/a.ts", [4, 5, 6, 7]],
  ["abc", "x/y-abx-abc", [8, 9, 10]],
  ["ac/d", "xaxc/a/c/d", [1, 3, 4, 9]],
  ["ts src", "src/a.ts", [0, 1, 2, 6, 7]],
  ["ts s", "src/a.ts", [0, 6, 7]],
  ["x", "😀/x", [3]],
  ["😀", "a/😀x", [2]],
  ["é", "cafÉ", [3]],
  ["", "a/b", []],
];

for (const [query, path, positions] of MARKED) {
  test(`${JSON.stringify(query)} marks ${JSON.stringify(positions)} in ${path}`, () => {
    assert.deepEqual(createPathIndex([path]).search(query)[0]?.positions, positions);
  });
}

type Held = readonly [query: string, path: string, held: boolean, why: string];

const HELD: readonly Held[] = [
  ["readme", "README.md", true, "small letters find any case"],
  ["README", "readme.md", false, "a capital asks for exactly that case"],
  ["Readme", "README.md", false, "and so do the small letters beside it"],
  ["aB", "xAxaB", true, "an exact term is looked for to the end"],
  ["readme TS", "readme.ts", false, "each term has its own case"],
  ["É", "é", false, "a capital is one in every script"],
  ["é", "É", true, "and is found by the small letter"],
  ["i", "İ", false, "what lower case makes two characters of is itself"],
  ["a b", "b/a", true, "terms come in any order"],
  ["a b", "a/c", false, "every term is needed"],
  ["ab", "a/b", true, "letters alone may span segments"],
  ["ab/", "a/b/", false, "beside a slash they stay in one segment"],
  ["ab/c", "a/xab/c", true, "whichever segment that is"],
  ["a/c", "a/b/c", true, "segments may lie between"],
  ["a/c", "ac", false, "a slash is only ever a slash"],
  ["a//c", "a/c", false, "two slashes are two"],
  ["a//c", "a/b/c", true, "with anything between them"],
  ["\ud83d", "😀", false, "half a character is no character"],
  ["\ud83d", "a\ud83d", true, "but finds itself"],
  ["ä", "Ã¤", false, "bytes of two characters do not make a third"],
];

for (const [query, path, held, why] of HELD) {
  const name = `${JSON.stringify(query)} ${held ? "finds" : "does not find"} ${JSON.stringify(path)}`;
  test(`${name}: ${why}`, () => {
    assert.equal(createPathIndex([path]).search(query).length, held ? 1 : 0);
  });
}
