/** What a UI message becomes, and which session and message its ids name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isGalleyError } from "@galley/parts";
import { chatInput, messageOfChat, sessionOfChat, type UiMessage } from "./chat-request.ts";

const message = (...parts: UiMessage["parts"]): UiMessage => ({ id: "u", role: "user", parts });

test("text is typed, files are attached, parts of ours are themselves, and others stay", () => {
  const { draft } = chatInput(
    message(
      { type: "text", text: "look" },
      {
        type: "file",
        mediaType: "image/png",
        filename: "a.png",
        url: "data:image/png;base64,AAAA",
      },
      { type: "file", mediaType: "text/plain", url: "data:text/plain;charset=utf-8,a%20b" },
      { type: "file", mediaType: "image/png", filename: "b", url: "https://example.com/b.png" },
      { type: "data-galley", data: { type: "mention", target: { kind: "file", path: "a.ts" } } },
      { type: "data-weather", data: { sunny: true } },
    ),
  );
  assert.deepEqual(draft?.parts, [
    { type: "typed", text: "look" },
    { type: "file-attachment", name: "a.png", mime: "image/png", data: "AAAA" },
    { type: "file-attachment", name: "attachment", mime: "text/plain", data: "YSBi" },
    { type: "file-attachment", name: "b", mime: "image/png", url: "https://example.com/b.png" },
    { type: "mention", target: { kind: "file", path: "a.ts" } },
    { type: "data-weather", data: { sunny: true } },
  ]);
});

test("metadata of the page's is kept apart from ours", () => {
  const { draft } = chatInput({ ...message({ type: "text", text: "x" }), metadata: { model: 1 } });
  assert.deepEqual(draft?.metadata, { ui_metadata: { model: 1 } });
});

test("a part that claims to be ours and is not is refused", () => {
  const bad = message({ type: "data-galley", data: { type: "mention" } });
  assert.throws(() => chatInput(bad), isGalleyError);
  assert.throws(() => chatInput(message({ type: "file" })), isGalleyError);
  const broken = message({ type: "file", url: "data:text/plain,%ff%" });
  assert.throws(() => chatInput(broken), isGalleyError);
});

test("an id of ours is itself, one that fits becomes ours, any other becomes its hash", () => {
  assert.equal(sessionOfChat("ses_1"), "ses_1");
  assert.equal(sessionOfChat("a-b_C1"), "ses_a-b_C1");
  assert.match(sessionOfChat("../../etc/passwd"), /^ses_[A-Za-z0-9_-]{43}$/);
  assert.match(sessionOfChat("ses_ö"), /^ses_[A-Za-z0-9_-]{43}$/);
  assert.match(messageOfChat("x".repeat(200)), /^msg_[A-Za-z0-9_-]{43}$/);
  assert.notEqual(sessionOfChat("a b"), sessionOfChat("a_b"));
});
