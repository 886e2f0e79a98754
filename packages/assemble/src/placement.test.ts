/** The table of placements, and layers put in its order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Layer } from "./context.ts";
import { categoryOf, PLACEMENTS, placeLayers } from "./placement.ts";

const layer = (id: string): Layer => ({ id, text: id });
const placed = (...ids: string[]) => placeLayers(ids.map(layer)).map(({ id }) => id);

test("layers stand in the order agent, instructions, skills and memory, environment, pipeline", () => {
  assert.deepEqual(
    placed(
      "pipeline.refactor",
      "environment",
      "memory.index",
      "skills.catalog",
      "instructions",
      "agent.system",
    ),
    [
      "agent.system",
      "instructions",
      "memory.index",
      "skills.catalog",
      "environment",
      "pipeline.refactor",
    ],
  );
});

test("layers of one row, and layers that the table does not name, stay as they came", () => {
  assert.deepEqual(placed("z", "agent.b", "a", "agent.a"), ["agent.b", "agent.a", "z", "a"]);
});

test("layers that are in order are handed on, the same list", () => {
  const layers = ["agent", "env.project", "pipeline"].map(layer);
  assert.equal(placeLayers(layers), layers);
});

test("what changes less stands earlier, and nothing in the system changes with each turn", () => {
  const rank = ["with the agent", "with the project", "with the session", "with each turn"];
  const order = PLACEMENTS.map(({ changes }) => rank.indexOf(changes));
  assert.deepEqual(order, order.toSorted());
  const system = PLACEMENTS.filter(({ position }) => position === "system");
  assert.ok(system.every(({ changes }) => changes !== "with each turn"));
});

test("every category has a place, and a layer knows its own", () => {
  assert.deepEqual([...new Set(PLACEMENTS.map(({ category }) => category))].toSorted(), [
    "conversation",
    "environment",
    "identity",
    "pulled",
    "task",
  ]);
  assert.equal(categoryOf(layer("agent.system")), "identity");
  assert.equal(categoryOf(layer("environment")), "environment");
  assert.equal(categoryOf(layer("refactor")), "task");
});
