/**
 * `useChat` of `@ai-sdk/react`, unmodified, in a real browser, against the real host as a process of
 * its own and the rehearsal model: send, stream, stop, reload in the middle, and again.
 */
import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import { type Rehearsal, type Script, startRehearsal } from "@galley/rehearsal";
import type { Browser, Page } from "playwright-core";
import { ask, type HostProcess, startHost, TOKEN } from "../chaos/host-process.ts";
import { launchBrowser } from "../testing/browser.ts";
import { bundlePage, HTML } from "../testing/bundle-page.ts";
import { tempFolder } from "../testing/temp-folder.ts";

type Stage = { readonly host: HostProcess; readonly rehearsal: Rehearsal; readonly page: Page };

type Stored = {
  readonly metadata: { readonly aborted_at?: number };
  readonly parts: readonly { readonly text?: string }[];
};

const words = (count: number): string[] => Array.from({ length: count }, (_, at) => `word${at} `);

describe("useChat", () => {
  let browser: Browser;
  let script: string;
  before(async () => {
    [browser, script] = await Promise.all([launchBrowser(), bundlePage()]);
  });
  after(() => browser.close());

  async function stage(t: TestContext, answers: Script): Promise<Stage> {
    const home = await tempFolder(t);
    const rehearsal = await startRehearsal({ script: answers });
    const host = await startHost({ home, workspace: home, provider: rehearsal.url });
    const context = await browser.newContext();
    // At the host's own address: to a page of another origin its doors are closed.
    await context.route("**/use-chat**", (route) => {
      const isScript = new URL(route.request().url()).pathname.endsWith(".js");
      return route.fulfill(
        isScript
          ? { contentType: "text/javascript", body: script }
          : { contentType: "text/html", body: HTML },
      );
    });
    t.after(async () => {
      await context.close();
      await host.kill("SIGKILL");
      await rehearsal.close();
    });
    const page = await context.newPage();
    page.on("pageerror", (error) => assert.fail(error));
    await page.goto(`${host.url}/use-chat?id=chat1&token=${TOKEN}`);
    return { host, rehearsal, page };
  }

  const said = (page: Page, role: string) => page.locator(`p.${role}`).allTextContents();
  const status = (page: Page, is: string) =>
    page.waitForFunction((wanted) => document.querySelector("output")?.textContent === wanted, is);

  async function send(page: Page, text: string): Promise<void> {
    await page.fill("input", text);
    await page.click("#send");
  }

  const shows = (page: Page, text: string) =>
    page.waitForFunction((wanted) => document.body.innerText.includes(wanted), text);

  test("sends and streams, turn after turn", async (t) => {
    const { page } = await stage(t, [{ say: "Hello to you." }, { say: "And again." }]);
    await send(page, "Hello");
    await shows(page, "Hello to you.");
    await status(page, "ready");
    await send(page, "Once more");
    await shows(page, "And again.");
    await status(page, "ready");
    assert.deepEqual(await said(page, "user"), ["Hello", "Once more"]);
    assert.deepEqual(await said(page, "assistant"), [
      "[step-start]Hello to you.",
      "[step-start]And again.",
    ]);
  });

  test("stop keeps what was said, in the page and in the session", async (t) => {
    const { host, page } = await stage(t, [
      { say: words(2_000), chunkDelayMs: 5 },
      { say: "After the stop." },
    ]);
    await send(page, "Talk");
    await shows(page, "word20 ");
    await page.click("#stop");
    await status(page, "ready");
    const [shown = ""] = await said(page, "assistant");
    const reply = await ask(host, "GET", "/v1/sessions/ses_chat1/messages");
    assert.ok(reply);
    const { messages } = reply.body as { messages: readonly Stored[] };
    const answer = messages.at(-1);
    const stored = answer?.parts.map(({ text }) => text ?? "").join("") ?? "";
    assert.ok(stored.length > 0 && !stored.includes("word1999"), "the model was stopped");
    assert.ok(
      stored.startsWith(shown.replace("[step-start]", "").trimEnd()),
      "what was shown is kept",
    );
    assert.equal(typeof answer?.metadata.aborted_at, "number");
    await send(page, "Go on");
    await shows(page, "After the stop.");
  });

  test("a reload in the middle of a stream shows it from its first word to its end", async (t) => {
    const { page, rehearsal } = await stage(t, [{ say: words(120), chunkDelayMs: 10 }]);
    await send(page, "Talk");
    await shows(page, "word20 ");
    await page.reload();
    await shows(page, "word119");
    await status(page, "ready");
    assert.deepEqual(await said(page, "user"), ["Talk"]);
    assert.deepEqual(await said(page, "assistant"), [`[step-start]${words(120).join("")}`]);
    assert.equal(rehearsal.received.length, 1, "the model was asked once");
  });

  test("regenerate answers the same message anew", async (t) => {
    const { page } = await stage(t, [{ say: "First." }, { say: "Second." }]);
    await send(page, "Say");
    await shows(page, "First.");
    await status(page, "ready");
    await page.click("#again");
    await shows(page, "Second.");
    await status(page, "ready");
    assert.deepEqual(await said(page, "assistant"), ["[step-start]Second."]);
  });
});
