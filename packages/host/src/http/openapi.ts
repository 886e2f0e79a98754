/**
 * The OpenAPI 3.1 description, made from the routes and the schemas that guard them.
 *
 * Shapes with a name become components and are referred to; the schema library draws the lines.
 */
import { Outcome, Part, Problem, UiChunk, UserMessage, UserPart } from "@galley/parts";
import { z } from "zod";
import about from "../../package.json" with { type: "json" };
import * as answers from "./answers.ts";
import * as requests from "./requests.ts";
import { isSecured, type Route } from "./route.ts";
import { SESSION_SHAPES } from "./session-answers.ts";

const NAMED = {
  ...SESSION_SHAPES,
  UserMessage,
  Part,
  UserPart,
  Outcome,
  UiChunk,
  Problem,
  Manifest: answers.Manifest,
  Proof: answers.ProofAnswer,
  ProofStage: answers.StageAnswer,
  Model: answers.ModelRow,
  Note: answers.Note,
  HostAction: answers.HostAction,
  ComposedMessage: answers.ComposedAnswer,
  Command: answers.CommandRow,
  Mention: answers.MentionRow,
  DraftPart: requests.DraftPart,
  Draft: requests.Draft,
  EditorSample: requests.EditorSample,
  ComposeRequest: requests.ComposeRequest,
  ProofOfMessage: requests.ProofOfMessage,
  ProofOfWords: requests.ProofOfWords,
  TryMessage: requests.TryMessage,
  TryWords: requests.TryWords,
} as const satisfies Record<string, z.ZodType>;

const COMPONENTS = "#/components/schemas/";

type Json = Record<string, unknown>;

export function openApi(routes: readonly Route[]): Json {
  const { schemas, schemaOf } = schemasOf(routes);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, schemaOf) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Galley",
      version: about.version,
      description: "Compose a message, see to the byte what a model would be sent, and send it.",
      license: { name: about.license, identifier: about.license },
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas,
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      responses: {
        Problem: {
          description: "A problem document (RFC 9457) with a stable code",
          content: { "application/problem+json": { schema: { $ref: `${COMPONENTS}Problem` } } },
        },
      },
    },
  };
}

type SchemaOf = (route: Route, side: "takes" | "answers") => Json | undefined;

function operation(route: Route, schemaOf: SchemaOf): Json {
  const takes = schemaOf(route, "takes");
  const answer = schemaOf(route, "answers");
  const parameters = [...pathParameters(route), ...queryParameters(route)];
  return {
    operationId: route.id,
    summary: route.summary,
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(route, takes),
    responses: {
      ...responses(route, answer),
      ...Object.fromEntries(
        refusals(route).map((status) => [status, { $ref: "#/components/responses/Problem" }]),
      ),
    },
    security: isSecured(route.path) ? [{ token: [] }] : [],
  };
}

function bodyOf({ takesBytes, takesNothing }: Route, takes: Json | undefined): Json {
  const content = takes
    ? { "application/json": { schema: takes } }
    : takesBytes !== undefined && { [takesBytes]: {} };
  return content ? { requestBody: { required: takesNothing !== true, content } } : {};
}

function responses({ answers }: Route, schema: Json | undefined): Json {
  const { status = 200, says: description, type, orNothing } = answers;
  const content = type === undefined ? {} : { content: { [type]: schema ? { schema } : {} } };
  return {
    [status]: { description, ...content },
    ...(orNothing !== undefined && { 204: { description: orNothing } }),
  };
}

const pathParameters = ({ path }: Route): readonly Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));

function queryParameters({ query }: Route): readonly Json[] {
  return Object.entries(query?.shape ?? {}).map(([name, schema]) => {
    const {
      $schema: _,
      description,
      ...drawn
    } = z.toJSONSchema(schema as z.ZodType, {
      io: "input",
    });
    return {
      name,
      in: "query",
      required: false,
      ...(description && { description }),
      schema: drawn,
    };
  });
}

const refusals = (route: Route): (number | "default")[] => [
  ...(route.takes || route.takesBytes ? [400, 408, 413, 415] : []),
  ...(route.takes || route.query ? [422] : []),
  ...(isSecured(route.path) ? [401] : []),
  403,
  ...(route.refuses ?? []),
  "default",
];

/** All schemas at once, so that what has a name is written once and pointed at. */
function schemasOf(routes: readonly Route[]) {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  const ids = new Map<z.ZodType, string>();
  for (const route of routes) {
    for (const [side, schema] of [
      ["Body", route.takes],
      ["Answer", route.answers.schema],
    ] as const) {
      if (schema === undefined || ids.has(schema)) continue;
      const id = registry.get(schema)?.id ?? `${route.id}${side}`;
      ids.set(schema, id);
      registry.add(schema, { id });
    }
  }
  const schemas = componentsOf(registry);
  const refTo = (schema: z.ZodType | undefined): Json | undefined =>
    schema && { $ref: `${COMPONENTS}${ids.get(schema)}` };
  const schemaOf: SchemaOf = (route, side) =>
    refTo(side === "takes" ? route.takes : route.answers.schema);
  return { schemas, schemaOf };
}

/** The library keeps what several share under a name of its own; here each is a component too. */
function componentsOf(registry: z.core.$ZodRegistry<{ id: string }>): Json {
  const made = z.toJSONSchema(registry, { io: "input", uri: (id) => `${COMPONENTS}${id}` });
  const { __shared: shared, ...named } = made.schemas as Record<string, Json>;
  const defs = Object.entries((shared?.$defs ?? {}) as Record<string, Json>);
  const all = [...Object.entries(named), ...defs.map(([id, each]) => [`shared.${id}`, each])];
  const text = JSON.stringify(Object.fromEntries(all), (key, value) =>
    key === "$id" || key === "$schema" ? undefined : value,
  );
  return JSON.parse(text.replaceAll(`${COMPONENTS}__shared#/$defs/`, `${COMPONENTS}shared.`));
}
