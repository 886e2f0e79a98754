/** The browser that `npm test` found or installed, without whatever would call home. */
import assert from "node:assert/strict";
import process from "node:process";
import { type Browser, chromium } from "playwright-core";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROME_PATH;
  assert.ok(
    executablePath,
    "CHROME_PATH is not set: run the tests with npm test, which finds or installs a browser, or set it to one",
  );
  return chromium.launch({ executablePath, args: FLAGS });
}
