import assert from "node:assert/strict";
import { test } from "node:test";
import { type Rendered, SKILL_LIMITS } from "@galley/compose";
import { templateRenderer } from "./minijinja-renderer.ts";
import { capMemory } from "./wasm-memory.ts";

const LIMITS = SKILL_LIMITS.template;

const TABLE: readonly (readonly [string, Rendered])[] = [
  ["Hi {{ name }}!", { ok: true, text: "Hi <Ann>!" }],
  ["{% for x in list %}{{ x }};{% endfor %}", { ok: true, text: "1;2;" }],
  ["{{ map.b }} {{ map.a }}", { ok: true, text: "2 1" }],
  ["{% if nope is defined %}x{% else %}y{% endif %}", { ok: true, text: "y" }],
  ["one\n{{ nope }}", { ok: false, reason: "undefined", says: "undefined value", line: 2 }],
  [
    "{% if %}",
    { ok: false, reason: "syntax", says: "syntax error: unexpected end of block", line: 1 },
  ],
  [
    "{{ debug() }}",
    { ok: false, reason: "failed", says: "unknown function: debug is unknown", line: 1 },
  ],
  [
    '{% include "x" %}',
    {
      ok: false,
      reason: "failed",
      says: 'template not found: tried to include non-existing template "x"',
      line: 1,
    },
  ],
];

test("templates are MiniJinja, strict, and say the line of what is wrong", async (t) => {
  const renderer = templateRenderer();
  t.after(renderer.close);
  const context = { name: "<Ann>", list: [1, 2], map: { b: 2, a: 1 } };
  for (const [source, expected] of TABLE) {
    assert.deepEqual(await renderer.renderTemplate(source, context, LIMITS), expected, source);
  }
});

const doubled = (times: number): string =>
  `{% set ns = namespace(s="x") %}{% for i in range(${times}) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}`;

const BOMBS: readonly (readonly [string, string])[] = [
  [
    "a loop without end",
    "{% for i in range(100000) %}{% for j in range(100000) %}x{% endfor %}{% endfor %}",
  ],
  ["a macro that calls itself", "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}"],
  ["text that doubles", `${doubled(40)}{{ ns.s|length }}`],
  ["much output", `{{ "x" * 3000000 }}`],
  ["one huge text", `{{ ("x" * 3000000000)|length }}`],
];

test("a bomb ends as a limit, and the next template renders", async (t) => {
  const renderer = templateRenderer();
  t.after(renderer.close);
  for (const [what, source] of BOMBS) {
    const rendered = await renderer.renderTemplate(source, {}, LIMITS);
    assert.equal(rendered.ok ? rendered.text.slice(0, 20) : rendered.reason, "limit", what);
    assert.deepEqual(await renderer.renderTemplate("{{ 1 + 1 }}", {}, LIMITS), {
      ok: true,
      text: "2",
    });
  }
});

test("a template that takes too long is ended, with those behind it in order", async (t) => {
  const renderer = templateRenderer(150);
  t.after(renderer.close);
  const slow =
    "{% for i in range(100000) %}{% for j in range(1000) %}{{ i }}{% endfor %}{% endfor %}";
  const limits = { ...LIMITS, fuel: 2_000_000_000 };
  const both = [
    renderer.renderTemplate(slow, {}, limits),
    renderer.renderTemplate("b", {}, LIMITS),
  ];
  const [first, second] = await Promise.all(both);
  assert.equal(first?.ok === false && first.reason, "limit");
  assert.deepEqual(second, { ok: true, text: "b" });
});

test("a module is given a maximum, and one without a memory of its own is refused", () => {
  const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const unbounded = Uint8Array.from([...head, 5, 3, 1, 0, 18, 10, 1, 0]);
  assert.deepEqual([...capMemory(unbounded, 512)], [...head, 5, 5, 1, 1, 18, 0x80, 4, 10, 1, 0]);
  assert.throws(() => capMemory(Uint8Array.from(head), 512), /no memory of its own/);
});
