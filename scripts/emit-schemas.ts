/**
 * `npm run schemas`: writes the JSON Schemas of every published shape to `schemas/`. A test fails
 * when they are stale; a file there that no shape has is removed.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publishedSchemas } from "@galley/parts";
import { root } from "./repo-files.mjs";

const folder = join(root, "schemas");
const schemas = publishedSchemas();

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) {
  if (name.endsWith(".json") && !schemas.has(name.slice(0, -".json".length))) {
    rmSync(join(folder, name));
  }
}
for (const [name, schema] of schemas) {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(schema, null, 2)}\n`);
}
console.log(`wrote ${schemas.size} schemas to schemas/`);
