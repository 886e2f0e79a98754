/** Images and documents by their bytes, size, number and address. */
import { test } from "node:test";
import { JPEG, PNG, png, WORDS } from "../trial.ts";
import { assistant, call, hi, image, pdf, refusesWith, result, say, talk, user } from "./sample.ts";

const BAD: readonly [body: unknown, message: string][] = [
  [
    say({ type: "video" }),
    "messages.0.content.0: Input tag 'video' found using 'type' does not match any of the expected tags: 'text', 'image', 'document', 'search_result', 'thinking', 'redacted_thinking', 'tool_use', 'tool_result', 'server_tool_use', 'web_search_tool_result', 'web_fetch_tool_result', 'code_execution_tool_result', 'bash_code_execution_tool_result', 'text_editor_code_execution_tool_result', 'tool_search_tool_result', 'container_upload'",
  ],
  [
    say(image(PNG, "image/bmp")),
    "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  ],
  [
    say(image(JPEG)),
    "messages.0.content.0.image.source.base64.data: The image was specified using the image/png media type, but the image appears to be a image/jpeg image",
  ],
  [say(image(WORDS)), "messages.0.content.0.image.source.base64.data: Could not process image"],
  [say(image("not base64")), "messages.0.content.0.image.source.base64.data: invalid base64 data"],
  [
    say(image("A".repeat(10_485_764))),
    "messages.0.content.0.image.source.base64: image exceeds 10 MB maximum: 10485764 bytes > 10485760 bytes",
  ],
  [
    say(image(png(8001, 10))),
    "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
  ],
  [
    say(image(png(2001, 10)), ...Array.from({ length: 20 }, () => image(PNG))),
    "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
  ],
  [say(...Array.from({ length: 101 }, () => image(PNG))), "messages: too many images: 101 > 100"],
  [
    talk(hi, assistant(call("t1")), user(result("t1", { content: [image(JPEG)] }))),
    "messages.2.content.0.tool_result.content.0.image.source.base64.data: The image was specified using the image/png media type, but the image appears to be a image/jpeg image",
  ],
  [
    say(pdf(WORDS)),
    "messages.0.content.0.pdf.source.base64.data: The PDF specified was not valid.",
  ],
  [
    say({ type: "image", source: { type: "url", url: "http://a.b/c.png" } }),
    "messages.0.content.0.image.source.url: Only HTTPS URLs are supported.",
  ],
  [say(pdf("")), "messages.0.content.0.pdf.source.base64.data: PDF cannot be empty"],
  [say(image("")), "messages.0.content.0.image.source.base64.data: Could not process image"],
];

for (const [body, message] of BAD) {
  test(`Anthropic refuses: ${message.slice(0, 90)}`, () => refusesWith(body, message));
}
