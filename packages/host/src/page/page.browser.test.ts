/** The start page in a real browser, with the real pipeline and the offline model behind it. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, type TestContext, test } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { startServer } from "../http/server.ts";
import { launchBrowser } from "../testing/browser.ts";
import { pipelineIn } from "../testing/pipeline-in.ts";
import type { Files } from "../testing/temp-folder.ts";

const TOKEN = "a-token-for-the-page";

type Opened = {
  readonly page: Page;
  readonly url: string;
  readonly pageUrl: string;
  /** What the browser complained about, and what it asked of others: nothing, in the end. */
  readonly complaints: readonly string[];
  readonly strangers: readonly string[];
};

async function openPage(
  t: TestContext,
  browser: Browser,
  files: Files = {},
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const pipeline = await pipelineIn(t, { files, fetch });
  const server = await startServer({
    pipeline,
    host: "127.0.0.1",
    port: 0,
    token: TOKEN,
    print: (line) => t.diagnostic(line),
  });
  const context = await browser.newContext(options);
  t.after(async () => {
    await context.close();
    await server.close();
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const strangers: string[] = [];
  page.on("console", (said) => {
    if (["error", "warning"].includes(said.type())) complaints.push(said.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${server.url}/`)) strangers.push(request.url());
  });
  return { page, url: server.url, pageUrl: server.pageUrl, complaints, strangers };
}

/** Saved for people to look at, where they said where. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.GALLEY_SHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC",
  "base64",
);
const HOSTILE = '<img src=x onerror="document.title=1">.png';
const PROVIDERS = ["anthropic", "openai", "openai-chat", "gemini"];

const texts = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).allTextContents();

/** The proof of what is in the composer now, not of what was there a moment ago. */
const settled = (page: Page, parts: number): Promise<unknown> =>
  page.waitForFunction(
    (count) =>
      document.querySelectorAll(".outcome").length === count &&
      !document.querySelector("#proofs.stale"),
    parts,
  );

const bodyText = (page: Page): Promise<string> =>
  page.locator(".body").evaluate((body) => {
    const copy = body.cloneNode(true) as Element;
    for (const number of copy.querySelectorAll(".number")) number.remove();
    return copy.textContent ?? "";
  });

describe("the start page", () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  test("a typed message and its attachment are proofed for all four providers, and sent", async (t) => {
    const { page, pageUrl, complaints, strangers } = await openPage(t, browser, {
      "notes.md": "one\ntwo\nthree\n",
    });
    await page.goto(pageUrl);
    await page.fill("#text", 'Is this <b>red</b>? {"é": [1]}');
    await page.fill("#ref", "notes.md:2-3");
    await page.press("#ref", "Enter");
    await page.setInputFiles("#files", { name: HOSTILE, mimeType: "image/png", buffer: PNG });
    await settled(page, 3);

    assert.deepEqual(await texts(page, "[role=tab]"), PROVIDERS);
    for (const provider of PROVIDERS) {
      await page.click(`#tab-${provider}`);
      assert.deepEqual(await texts(page, ".outcome .kind"), ["text", "text", "native"], provider);
      const body = await bodyText(page);
      assert.match(body, /Is this <b>red<\/b>\? \{\\"é\\": \[1\]\}/, provider);
      assert.match(body, /two\\nthree/, provider);
      assert.match((await texts(page, ".address")).join(""), /^POST https:\/\//, provider);
    }
    assert.match((await texts(page, ".outcome .name"))[2] ?? "", /^<img src=x onerror/);

    await page.click("#tab-anthropic");
    await page.click("#send");
    await page.waitForSelector("#answer[aria-busy=false]");
    assert.equal(await page.textContent("#answer-title"), "rehearsal/anthropic answers");
    assert.match((await page.textContent("#answer-text")) ?? "", /image/);
    assert.match((await page.textContent("#answer-end")) ?? "", /^It counted [\d,]+ tokens in/);

    assert.equal(await page.locator("main b, main img").count(), 0);
    assert.equal(await page.title(), "Galley: read the proof before you send");
    assert.deepEqual(complaints, []);
    assert.deepEqual(strangers, []);
    await shot(page, "desktop-light");
  });

  test("pointing at a part lights its bytes, and pointing at bytes lights their part", async (t) => {
    const { page, pageUrl } = await openPage(t, browser);
    await page.goto(pageUrl);
    await page.click("#first-example");
    await settled(page, 4);
    const lit = () =>
      page
        .locator(".lit")
        .evaluateAll((all) => [...new Set(all.map((each) => each.getAttribute("data-part")))]);
    await page.hover(".outcome[data-part='3']");
    assert.deepEqual(await lit(), ["3"]);
    assert.match((await texts(page, ".run.lit")).join(""), /palette\.psd/);
    await page.locator(".run[data-part='0']").first().hover();
    assert.deepEqual(await lit(), ["0"]);
    await page.locator(".body .number[data-part='2']").focus();
    assert.deepEqual(await lit(), ["2"]);
    await page.keyboard.press("Enter");
    assert.equal(await page.getAttribute(".outcome[data-part='2']", "aria-pressed"), "true");
    assert.match((await page.textContent(".fold")) ?? "", /^⋯ 152 more characters ⋯$/);
  });

  test("files come by drop and by paste, and go again", async (t) => {
    const { page, pageUrl } = await openPage(t, browser);
    await page.goto(pageUrl);
    await page.evaluate(() => {
      const zone = document.querySelector("#composer");
      const holding = (name: string) => {
        const data = new DataTransfer();
        data.items.add(new File(["hello"], name, { type: "text/plain" }));
        return data;
      };
      const bubbles = { bubbles: true, cancelable: true };
      zone?.dispatchEvent(new DragEvent("drop", { ...bubbles, dataTransfer: holding("drop.txt") }));
      const clipboardData = holding("paste.txt");
      zone?.dispatchEvent(new ClipboardEvent("paste", { ...bubbles, clipboardData }));
    });
    await settled(page, 2);
    assert.deepEqual((await texts(page, ".chip-name")).sort(), ["drop.txt", "paste.txt"]);
    await page.getByRole("button", { name: "Remove attachment drop.txt" }).click();
    await settled(page, 1);
    assert.deepEqual(await texts(page, ".chip-name"), ["paste.txt"]);
  });

  test("the keyboard alone gets through the tabs", async (t) => {
    const { page, pageUrl } = await openPage(t, browser);
    await page.goto(pageUrl);
    await page.fill("#text", "hi");
    await settled(page, 1);
    await page.focus("#tab-anthropic");
    const chosen = () => page.locator("[role=tab][aria-selected=true]").textContent();
    await page.keyboard.press("ArrowLeft");
    assert.equal(await chosen(), "gemini");
    await page.keyboard.press("Home");
    assert.equal(await chosen(), "anthropic");
    assert.equal(await page.getAttribute("#panel", "aria-labelledby"), "tab-anthropic");
    assert.equal(await page.locator("[role=tab][tabindex='0']").count(), 1);
  });

  test("the token leaves the address, is asked for when missing, and a wrong one is told", async (t) => {
    const { page, url, pageUrl } = await openPage(t, browser);
    await page.goto(pageUrl);
    assert.equal(page.url(), `${url}/`);
    await page.reload();
    assert.equal(await page.isVisible("#token-dialog"), false);

    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    assert.equal(await page.isVisible("#token-dialog"), true);
    await page.fill("#token", "wrong");
    await page.keyboard.press("Enter");
    await page.fill("#text", "hi");
    await page.waitForSelector("#token-dialog[open]");
    assert.equal(await page.textContent("#token-why"), "The server does not know this token.");
    await page.fill("#token", TOKEN);
    await page.keyboard.press("Enter");
    await settled(page, 1);
  });

  test("a refusal is told in words, and the next proof takes it away", async (t) => {
    const { page, pageUrl } = await openPage(t, browser);
    await page.goto(pageUrl);
    await page.fill("#text", "hi");
    await page.fill("#ref", "http://[");
    await page.press("#ref", "Enter");
    await page.waitForSelector("#trouble:not([hidden])");
    assert.match((await page.textContent("#trouble")) ?? "", /\(host\.\w+\)$/);
    await page.getByRole("button", { name: /^Remove reference/ }).click();
    await settled(page, 1);
    assert.equal(await page.isVisible("#trouble"), false);
  });

  for (const [name, width, colorScheme] of [
    ["narrow-light", 360, "light"],
    ["desktop-dark", 1360, "dark"],
  ] as const) {
    test(`nothing is cut off at ${width} pixels (${name})`, async (t) => {
      const viewport = { width, height: 800 };
      const { page, pageUrl, complaints } = await openPage(
        t,
        browser,
        { "README.md": "# A palette\n\nWarm colours first.\n" },
        { viewport, colorScheme },
      );
      await page.goto(pageUrl);
      await shot(page, `${name}-empty`);
      await page.click("#first-example");
      await settled(page, 4);
      await page.click("#send");
      await page.waitForSelector("#answer[aria-busy=false]");
      await page.click(".outcome[data-part='2']");
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      assert.deepEqual(complaints, []);
      await shot(page, name);
    });
  }
});
