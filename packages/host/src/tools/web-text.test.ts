import assert from "node:assert/strict";
import { test } from "node:test";
import { pageText } from "./web-text.ts";

const BASE = new URL("https://a.example.com/dir/page");
const text = (html: string): string => pageText(html, BASE).text;

test("a page keeps its headings, lists, links, code and tables, and loses the rest", () => {
  const page = pageText(
    `<!doctype html><html><head><title>The &amp; title</title><style>a{}</style>
<script>if (a < b) document.write("</p>")</script></head><body>
<!-- not <p>this</p> --><h1>Head</h1><p>One
 <b>two</b>&nbsp;three&hellip; <a href="../x?a=1&amp;b=2">link</a>.</p><ul><li>a<li>b
<ul><li>c</li></ul></ul><pre>  x
    y</pre><table><tr><td>1</td><td>2</td></tr></table><img alt="A cat"><noscript>no</noscript>
<svg><text>no</text></svg><p>end</body></html>`,
    BASE,
  );
  assert.equal(page.title, "The & title");
  assert.equal(
    page.text,
    `# Head

One two three… [link](https://a.example.com/x?a=1&b=2).

- a
- b
  - c

  x
    y

1 | 2 |

[image: A cat]

end`,
  );
});

const PIECES: readonly (readonly [string, string])[] = [
  ["no markup at all", "no markup at all"],
  ["a < b and c > d", "a < b and c > d"],
  ["&lt;script&gt;", "<script>"],
  ["&#x41;&#66;&#0;&bogus;&amp", "AB\ufffd&bogus;&amp"],
  ['<a href="javascript:x()">here</a>', "here"],
  ['<a href="#top">here</a>', "here"],
  ['<p title="a > b">x</p>', "x"],
  ["<p>unclosed <b", "unclosed"],
  ["a<br>b<br/>c", "a\nb\nc"],
  ["<script>never closed <p>x", ""],
  ["x<!-- never closed", "x"],
  ["<?php echo 1 ?>x<![CDATA[y]]>", "x"],
  ["<P>One</P><DIV>Two</DIV>", "One\n\nTwo"],
];

for (const [html, said] of PIECES) {
  test(`${html} reads ${JSON.stringify(said)}`, () => assert.equal(text(html), said));
}

test("no page is slow", () => {
  const hostile = [
    "<",
    "<!",
    "<!--",
    "<a ",
    '<a href="',
    "<script>",
    "&",
    "</",
    "<p>",
    "<ul>",
    "<a href=x>",
  ];
  for (const piece of hostile) {
    const found = text(piece.repeat(400_000));
    assert.equal(typeof found, "string", piece);
  }
});
