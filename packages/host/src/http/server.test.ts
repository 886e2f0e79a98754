/** What the server answers, status by status, to a client that sends what it likes. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { HttpError } from "./problem.ts";
import { startServer } from "./server.ts";
import { smallPipeline } from "./small-pipeline.ts";
import { AUTHORIZED, type Call, problem, serverFor, TOKEN } from "./test-server.ts";

const MESSAGE = { role: "user", parts: [{ type: "text", text: "hi" }] };
const post = (headers: Record<string, string>, body: string): Call => ({
  method: "POST",
  headers: { ...AUTHORIZED, ...headers },
  body,
});

const REFUSED: readonly (readonly [string, string, Call, string])[] = [
  ["an unknown path", "/no/such", {}, "404 http.not_found"],
  ["a file that the page does not have", "/page/server.ts", {}, "404 http.not_found"],
  ["a file beside the page's", "/page/body-layout.test.ts", {}, "404 http.not_found"],
  ["a way out of the page's folder", "/page/..%2f..%2fpackage.json", {}, "404 http.not_found"],
  ["a method that a path does not take", "/healthz", { method: "DELETE" }, "405 http.wrong_method"],
  ["a call without a token", "/v1/models", {}, "401 http.no_token"],
  [
    "a token of another scheme",
    "/v1/models",
    { headers: { authorization: `Basic ${TOKEN}` } },
    "401 http.no_token",
  ],
  [
    "a wrong token",
    "/v1/models",
    { headers: { authorization: "Bearer guess" } },
    "401 http.wrong_token",
  ],
  ["an unknown call without a token", "/v1/no/such", {}, "401 http.no_token"],
  ["a foreign Host", "/healthz", { headers: { host: "evil.example" } }, "403 http.foreign_host"],
  [
    "a foreign Origin",
    "/",
    { headers: { origin: "http://evil.example" } },
    "403 http.foreign_origin",
  ],
  ["an Origin that hides itself", "/", { headers: { origin: "null" } }, "403 http.foreign_origin"],
  ["text that is not JSON", "/v1/proof", post({}, "{nope"), "400 http.not_json"],
  ["an empty body", "/v1/proof", post({}, ""), "400 http.not_json"],
  ["65 levels of nesting", "/v1/proof", post({}, "[".repeat(65)), "400 http.too_deep"],
  [
    "a body of another type",
    "/v1/proof",
    post({ "content-type": "text/plain" }, "{}"),
    "415 http.wrong_type",
  ],
  [
    "a body of another charset",
    "/v1/proof",
    post({ "content-type": "application/json; charset=latin1" }, "{}"),
    "415 http.wrong_type",
  ],
  ["a packed body", "/v1/proof", post({ "content-encoding": "gzip" }, "{}"), "415 http.wrong_type"],
  ["a body of another shape", "/v1/proof", post({}, "[]"), "422 http.bad_shape"],
];

for (const [what, path, call, expected] of REFUSED) {
  test(`${what} is refused with ${expected}`, async (t) => {
    const { call: send } = await serverFor(t);
    const [status, code] = expected.split(" ");
    const answer = await send(path, call);
    assert.equal(problem(answer), `${status} application/problem+json ${code}`);
  });
}

test("bytes that are not UTF-8 are not JSON", async (t) => {
  const { call } = await serverFor(t);
  const body = Uint8Array.of(0x22, 0xff, 0x22);
  const answer = await call("/v1/proof", { method: "POST", headers: AUTHORIZED, body });
  assert.equal(problem(answer), "400 application/problem+json http.not_json");
});

test("a refusal says what the method and the token should have been", async (t) => {
  const { call } = await serverFor(t);
  assert.equal((await call("/healthz", { method: "POST" })).headers.allow, "GET, HEAD");
  assert.equal((await call("/v1/models")).headers["www-authenticate"], 'Bearer realm="galley"');
});

test("a bad shape lists every issue with its place, unknown keys too", async (t) => {
  const { post: send } = await serverFor(t);
  const wrong = { text: 1, parts: [{ type: "file-attachment" }], model: "", extra: true };
  assert.deepEqual(JSON.parse((await send("/v1/proof", wrong)).body).issues, [
    "text: Invalid input: expected string, received number",
    "parts.0.name: Invalid input: expected string, received undefined",
    "parts.0.mime: Invalid input: expected string, received undefined",
    "model: Too small: expected string to have >=1 characters",
    'the body: Unrecognized key: "extra"',
  ]);
  const message = { role: "user", parts: [] };
  assert.deepEqual(JSON.parse((await send("/v1/proof", { message })).body).issues, [
    "parts: a message has at least one part",
  ]);
  assert.deepEqual(JSON.parse((await send("/v1/compose", {})).body).issues, [
    "the body: give at least one of text, draft, refs, attach, parts and editor_context",
  ]);
  const both = { message: MESSAGE, all: true, model: "a/b" };
  assert.deepEqual(JSON.parse((await send("/v1/proof", both)).body).issues, [
    "the body: all asks every built-in provider: leave out model",
  ]);
});

test("what a package below refuses keeps its code, and is no failure to report", async (t) => {
  const { post: send, printed } = await serverFor(t);
  const answer = await send("/v1/proof", { message: MESSAGE, model: "no/such" });
  assert.equal(problem(answer), "422 application/problem+json small.unknown_model");
  assert.deepEqual(printed, []);
});

test("a failure of ours is told to whoever runs the server, and to nobody else", async (t) => {
  const pipeline = smallPipeline();
  const models = () => {
    throw new RangeError("a secret path");
  };
  const { call, printed } = await serverFor(t, { pipeline: { ...pipeline, models } });
  const answer = await call("/v1/models", { headers: AUTHORIZED });
  assert.equal(problem(answer), "500 application/problem+json http.internal");
  assert.equal(answer.body.includes("secret"), false);
  assert.deepEqual(printed, ["galley: a request failed: RangeError: a secret path"]);
});

test("localhost and the bound address are names of this server, with its port only", async (t) => {
  const { call, port } = await serverFor(t);
  const statusFor = async (host: string) => (await call("/healthz", { headers: { host } })).status;
  assert.equal(await statusFor(`localhost:${port}`), 200);
  assert.equal(await statusFor(`127.0.0.1:${port}`), 200);
  assert.equal(await statusFor(`127.0.0.1:${port === 4747 ? 4748 : 4747}`), 403);
  assert.equal(await statusFor("localhost"), 403);
});

test("an own Origin may call", async (t) => {
  const { call, url } = await serverFor(t);
  assert.equal((await call("/healthz", { headers: { origin: url } })).status, 200);
});

test("what a call answers is not kept by anybody", async (t) => {
  const { post: send } = await serverFor(t);
  for (const path of ["/v1/compose", "/v1/proof"]) {
    assert.equal((await send(path, { text: "hi" })).headers["cache-control"], "no-store", path);
  }
});

test("every answer forbids framing, sniffing, referrers and inline script", async (t) => {
  const { call } = await serverFor(t);
  for (const path of ["/", "/page/page.js", "/no/such", "/v1/models", "/healthz"]) {
    const { headers } = await call(path);
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /, path);
    assert.match(policy, /frame-ancestors 'none'/, path);
    assert.doesNotMatch(policy, /unsafe/, path);
    assert.equal(headers["x-content-type-options"], "nosniff", path);
    assert.equal(headers["referrer-policy"], "no-referrer", path);
  }
});

test("a page file is not sent again while it is the same", async (t) => {
  const { call } = await serverFor(t);
  const first = await call("/");
  assert.equal(first.headers["content-type"], "text/html; charset=utf-8");
  const again = await call("/", { headers: { "if-none-match": String(first.headers.etag) } });
  assert.deepEqual([again.status, again.body], [304, ""]);
});

test("the page's address carries the token where only the browser sees it", async (t) => {
  const { url, pageUrl, call } = await serverFor(t);
  assert.equal(pageUrl, `${url}/#token=${TOKEN}`);
  assert.equal((await call("/")).body.includes(TOKEN), false);
});

test("a port that is taken is refused with its number and a way out", async (t) => {
  const { port } = await serverFor(t);
  const again = startServer({
    pipeline: smallPipeline(),
    host: "127.0.0.1",
    port,
    token: TOKEN,
    print: () => {},
  });
  await assert.rejects(again, (error: unknown) => HttpError.is(error, "port_taken"));
});

test("listening for other machines is possible, and said", async (t) => {
  const { call, url, port, printed } = await serverFor(t, { host: "0.0.0.0" });
  assert.equal(url, `http://127.0.0.1:${port}`);
  assert.equal((await call("/healthz")).status, 200);
  assert.deepEqual(printed, [
    "galley: 0.0.0.0 can be reached from other machines: the token is all that keeps them out, and it travels in the clear",
  ]);
});

test("a request that never ends is answered with 408 and cut off", async (t) => {
  const { port } = await serverFor(t, { limits: { requestMs: 40, headersMs: 40 } });
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    `POST /v1/proof HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"text":',
  );
  const said = await text(socket);
  assert.match(said, /^HTTP\/1\.1 408 Request Timeout\r\n/);
  assert.match(said, /"code":"http\.slow"/);
});

test("bytes that are not HTTP get a problem document too", async (t) => {
  const { port } = await serverFor(t);
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write("hello\r\n\r\n");
  const said = await text(socket);
  assert.match(said, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(said, /content-type: application\/problem\+json\r\n/);
  assert.match(said, /"code":"http\.malformed"/);
});
