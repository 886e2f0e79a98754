/** Rules across the messages of a chat, with the exact words of each refusal. */
import { test } from "node:test";
import { type Row, refusesRow } from "../openai/sample.ts";
import { GIF, JPEG, PDF, PNG, WORDS } from "../trial.ts";
import { audio, call, calls, file, hi, image, png, result, say, talk, text } from "./sample.ts";

const UNANSWERED =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ";
const STRAY =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
const URL = "messages[0].content[0].image_url.url";
const FILE = "messages[0].content[0].file.file_data";
const AUDIO = "messages[0].content[0].input_audio.data";
const EXAMPLE = "(e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU=')";
const WANTED = `Invalid '${FILE}'. Expected a base64-encoded data URL with an application/pdf MIME type (e.g. 'data:application/pdf;base64,aW1nIGJ5dGVzIGhlcmU=')`;
/** Two pictures in one GIF. */
const MOVING = Buffer.from(
  `GIF89a\x01\x00\x01\x00\x00\x00\x00${",\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x01\x00\x00".repeat(2)};`,
  "latin1",
).toString("base64");

const BAD: readonly Row[] = [
  [
    talk(hi, { role: "assistant", content: null, function_call: null, audio: null }, hi),
    "Invalid value for 'content': expected a string, got null.",
    "messages.[1].content",
  ],
  [talk(hi, calls(call("c1")), hi), `${UNANSWERED}c1`, "messages.[2].role"],
  [talk(hi, calls(call("c1"))), `${UNANSWERED}c1`, "messages.[2].role"],
  [
    talk(hi, calls(call("c1"), call("c2")), result("c1"), hi, result("c2")),
    `${UNANSWERED}c2`,
    "messages.[3].role",
  ],
  [talk(hi, result("c1")), STRAY, "messages.[1].role"],
  [talk(hi, calls(call("c1")), result("c2")), STRAY, "messages.[2].role"],
  [
    talk(hi, calls(call("c1")), result("c1"), result("c1")),
    "Duplicate value for 'tool_call_id' of 'c1' in message[3]",
    "messages.[3].tool_call_id",
  ],
  [
    talk(hi, calls(call("c1"), call("c1")), result("c1")),
    "Duplicate value for 'tool_call_id' of 'c1' in message[1]",
    "messages.[1].tool_call_id",
  ],
  [
    talk(hi, calls(call("c1")), result("c1", [png(PNG)])),
    "Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
    "messages[2]",
    "invalid_value",
  ],
  [
    talk({ role: "system", content: [audio(WORDS)] }, hi),
    "Invalid 'messages[0]'. Content of type 'input_audio' is only allowed for messages with role 'user', but this message has role 'system'.",
    "messages[0]",
    "invalid_value",
  ],
  [
    say(image("cat.png")),
    `Invalid '${URL}'. Expected a valid URL or a base64-encoded data URL with an image MIME type ${EXAMPLE}, but got a value with an invalid format.`,
    URL,
    "invalid_value",
  ],
  [
    say(png(PNG, "image/bmp")),
    `Invalid '${URL}'. Expected a base64-encoded data URL with an image MIME type ${EXAMPLE}, but got unsupported MIME type 'image/bmp'.`,
    URL,
    "invalid_value",
  ],
  [say(png("no base64")), "Invalid base64 image_url.", URL, "invalid_base64_image"],
  [
    say(png(WORDS)),
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    URL,
    "invalid_image_format",
  ],
  [
    say(png(JPEG)),
    "The image was declared as 'image/png', but its bytes are 'image/jpeg'.",
    URL,
    "invalid_image_format",
  ],
  [say(png(MOVING, "image/gif")), "Animated GIFs are not supported.", URL, "invalid_image_format"],
  [say(file(PDF)), `${WANTED}, but got a value without the 'data:' prefix.`, FILE, "invalid_value"],
  [
    say(file(`data:text/plain;base64,${WORDS}`)),
    `${WANTED}, but got unsupported MIME type 'text/plain'.`,
    FILE,
    "invalid_value",
  ],
  [
    say(file(`data:application/pdf;base64,${WORDS}`)),
    `Invalid '${FILE}'. The file is not a valid PDF.`,
    FILE,
    "invalid_value",
  ],
  [
    say(file("data:application/pdf;base64,???")),
    `Invalid '${FILE}'. The file data is not valid base64.`,
    FILE,
    "invalid_value",
  ],
  [
    say({ type: "file", file: { filename: "a" } }),
    `Missing required parameter: '${FILE}'.`,
    FILE,
    "missing_required_parameter",
  ],
  [
    say(audio("???")),
    `Invalid '${AUDIO}'. The audio data is not valid base64.`,
    AUDIO,
    "invalid_value",
  ],
  [
    say(audio(PNG), text("x")),
    "The data provided for 'input_audio' is not of valid format.",
    AUDIO,
    "invalid_value",
  ],
];

for (const row of BAD) {
  test(`Chat Completions refuses: ${row[1].slice(0, 90)} (${row[2]})`, () =>
    refusesRow("openai-chat", row));
}

test("a GIF that stands still is not one that moves", () => {
  refusesRow("openai-chat", [
    say(png(GIF, "image/png")),
    "The image was declared as 'image/png', but its bytes are 'image/gif'.",
    URL,
    "invalid_image_format",
  ]);
});
