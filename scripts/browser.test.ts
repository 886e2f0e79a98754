/** Where a browser is looked for, in which order, and what happens when the one named is absent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { browserPlaces, findBrowser } from "./browser.mjs";

const onDisk =
  (...paths: string[]) =>
  (path: string): boolean =>
    paths.includes(path);

test("CHROME_PATH comes before every usual place", () => {
  const exists = onDisk("/opt/mine", "/usr/bin/chromium");
  assert.equal(findBrowser("linux", { CHROME_PATH: "/opt/mine" }, exists), "/opt/mine");
});

test("a CHROME_PATH that leads nowhere is refused, even if another browser is there", () => {
  const exists = onDisk("/usr/bin/chromium");
  assert.throws(() => findBrowser("linux", { CHROME_PATH: "/opt/mine" }, exists), {
    message: "CHROME_PATH is /opt/mine, and there is nothing there",
  });
});

test("on Linux, Chrome and Chromium are found on the PATH and in the usual folders", () => {
  const env = { PATH: "/home/me/bin:/usr/bin" };
  assert.equal(findBrowser("linux", env, onDisk("/home/me/bin/chrome")), "/home/me/bin/chrome");
  assert.equal(findBrowser("linux", {}, onDisk("/usr/bin/chromium")), "/usr/bin/chromium");
  assert.equal(findBrowser("linux", {}, onDisk("/snap/bin/chromium")), "/snap/bin/chromium");
});

test("on macOS, both folders of applications are looked in", () => {
  const path = "/Users/me/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
  assert.equal(findBrowser("darwin", { HOME: "/Users/me" }, onDisk(path)), path);
});

test("on Windows, the three folders of programs are looked in", () => {
  assert.deepEqual(browserPlaces("win32", { LOCALAPPDATA: "C:\\Local" }), [
    "C:\\Local\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Local\\Chromium\\Application\\chrome.exe",
  ]);
});

test("where there is none, none is found", () => {
  assert.equal(findBrowser("linux", { PATH: "/usr/bin" }, onDisk()), undefined);
});
