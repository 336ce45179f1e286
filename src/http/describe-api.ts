import * as z from "zod";
import type { Route } from "./route.ts";

/** The API as OpenAPI 3.1 has it: all that is said here follows from the routes. */
export function describeApi(routes: readonly Route[], version: string): object {
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = `/api${route.path.replaceAll(/[:*](\w+)/g, "{$1}")}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Frond",
      version,
      description: "The API of `frond ui` and `frond serve --http`. See docs/http.md for how to come in.",
    },
    servers: [{ url: "http://127.0.0.1:4190" }],
    security: [{ token: [] }, { cookie: [] }],
    // By their names, so that it stays the same wherever a route stands in the list.
    paths: Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1))),
    components: {
      schemas,
      responses: {
        Refused: { description: "Why it is refused", content: { "application/json": { schema: refusal } } },
      },
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "The token from the file http-token in the state directory",
        },
        cookie: {
          type: "apiKey",
          in: "cookie",
          name: "frond-4190",
          description: "Set by a one-time link; its name has the port in it",
        },
      },
    },
  };
}

const refusal = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: {
        code: { type: "string", description: "For programs" },
        message: { type: "string", description: "What is wrong" },
        fix: { type: "string", description: "What to do about it" },
        problems: {
          type: "array",
          description: "Each of them, where there are several, or one is about a field of what was sent",
          items: { type: "object" },
        },
      },
    },
  },
};

type JsonSchema = Readonly<Record<string, unknown>>;

function describeRoute(route: Route, schemas: Record<string, unknown>): object {
  const id = nameOf(route);
  const schemaOf = (type: z.ZodType, io: "input" | "output", part: string): JsonSchema =>
    takeOut(z.toJSONSchema(type, { io, unrepresentable: "any" }) as JsonSchema, `${id}${part}`, schemas);
  const query = schemaOf(route.querySchema(), "input", "Query");
  const parameters = [...pathParameters(route), ...queryParameters(query)];
  const body = route.method === "POST" ? schemaOf(route.bodySchema(), "input", "Body") : undefined;
  const answer = route.answerSchema === undefined ? {} : { schema: schemaOf(route.answerSchema(), "output", "Answer") };
  const description = [route.description, ...remarks(route)].filter(Boolean).join(" ");
  const type = route.isStream === true ? "text/event-stream" : "application/json";
  return {
    operationId: id,
    summary: route.summary,
    ...(description === "" ? {} : { description }),
    ...(route.isForToken ? { security: [{ token: [] }] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: body } } } }),
    responses: {
      200: { description: route.summary, content: { [type]: answer } },
      default: { $ref: "#/components/responses/Refused" },
    },
  };
}

function remarks({ effect, isForToken, isStream }: Route): string[] {
  return [
    ...(effect === "acts" ? ["A server that was started with --read-only refuses it."] : []),
    ...(isForToken ? ["Only for those who show the token."] : []),
    ...(isStream ? ["A stream of server-sent events."] : []),
  ];
}

/** Such as `getRunsRunLevelAddress`. */
function nameOf({ method, path }: Route): string {
  const words = path.split(/\W+/).filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function pathParameters({ path, method }: Route): object[] {
  const own = method === "POST" ? [ownHeaderParameter] : [];
  const named = [...path.matchAll(/([:*])(\w+)/g)].map(([, kind, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    ...(kind === "*" ? { description: "With slashes between its steps; may be empty" } : {}),
  }));
  return [...named, ...own];
}

const ownHeaderParameter = { name: "x-frond", in: "header", required: true, schema: { const: "1" } };

function queryParameters({ properties = {}, required = [] }: { properties?: unknown; required?: unknown }): object[] {
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: (required as readonly string[]).includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

/**
 * Definitions that a schema has for itself become those of the document: under their own names where somebody has named them, else under names
 * that no other schema uses.
 */
function takeOut(schema: JsonSchema, name: string, schemas: Record<string, unknown>): JsonSchema {
  const { $schema: _, $defs = {}, id, ...rest } = schema;
  const nameOfPart = (key: string): string => (key.startsWith("__") ? `${name}.${key}` : key);
  const whole = typeof id === "string" ? id : name;
  const refer = (target: unknown): string => {
    const [, key] = /^#\/\$defs\/(.*)$/.exec(String(target)) ?? [];
    return `#/components/schemas/${key === undefined ? whole : nameOfPart(key)}`;
  };
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, part]) => [key, key === "$ref" ? refer(part) : moved(part)]);
    return Object.fromEntries(entries);
  };
  for (const [key, part] of Object.entries($defs as Readonly<Record<string, JsonSchema>>)) {
    const { id: _id, ...own } = part;
    schemas[nameOfPart(key)] = moved(own);
  }
  const root = moved(rest) as JsonSchema;
  const isNeeded = typeof id === "string" || JSON.stringify(root).includes(`"#/components/schemas/${whole}"`);
  if (!isNeeded) return root;
  schemas[whole] = root;
  return { $ref: `#/components/schemas/${whole}` };
}
