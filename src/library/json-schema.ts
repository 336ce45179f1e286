import * as z from "zod";
import type { Catalog } from "../block/catalog.ts";
import { type BlockType, fileOutputTypes, onInterruptedChoices } from "../block/define-block.ts";
import { sandboxNetworks } from "../block/sandbox.ts";
import { dataTypeNames } from "../definition/data-type.ts";
import type { blockKeys, fileOutputKeys } from "../definition/load-block.ts";
import type { inputKeys } from "../definition/load-inputs.ts";
import type { outputKeys } from "../definition/load-outputs.ts";
import type { sandboxKeys } from "../definition/load-sandbox.ts";
import { exposures, type workflowKeys, workflowNamePattern } from "../definition/load-workflow.ts";

type Schema = Record<string, unknown>;
/** A key the loader knows and the schema does not, or the other way round, is a type error. */
type PropertiesFor<Keys extends readonly string[]> = Record<Keys[number], Schema>;

export const expression: Schema = { type: "string", pattern: "\\$\\{", description: "An expression: ${...}" };
const timeout: Schema = {
  description: "Seconds, or a text like 500ms, 30s, 5m, 1h",
  anyOf: [{ type: "number", exclusiveMinimum: 0 }, { type: "string" }],
};

const sandbox: Schema = {
  description:
    "Runs commands in a sandbox: they write only in the workspace and have no network, unless it is the host's",
  anyOf: [
    { const: true },
    {
      type: "object",
      additionalProperties: false,
      properties: { network: { enum: sandboxNetworks, default: "none" } } satisfies PropertiesFor<typeof sandboxKeys>,
    },
  ],
};

/** The JSON Schema of a workflow file, made from the block types, for editors and models. */
export function workflowSchema(catalog: Catalog): Schema {
  const properties: PropertiesFor<typeof workflowKeys> = {
    name: {
      type: "string",
      pattern: workflowNamePattern.source,
      maxLength: 100,
      description: "Lower-case words joined by hyphens",
    },
    description: { type: "string", description: "What the workflow does" },
    version: { type: ["string", "number"], default: "1.0" },
    author: { type: "string" },
    tags: { type: "array", items: { type: "string" } },
    inputs: {
      type: "object",
      additionalProperties: inputSchema,
      description: "What the workflow takes: ${inputs.NAME}",
    },
    blocks: { type: "array", minItems: 1, items: blockSchema(catalog), description: "The steps" },
    outputs: { type: "object", additionalProperties: outputSchema, description: "What the workflow gives" },
    max_parallel: { type: "integer", minimum: 1, description: "How many blocks may run at the same time" },
    timeout: { ...timeout, description: `${timeout.description}; counts active time, not pauses` },
    sandbox,
    expose: { enum: exposures, description: "Makes it a tool of its own in the MCP server: run_NAME" },
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Frond workflow",
    type: "object",
    required: ["name", "description", "blocks"],
    additionalProperties: false,
    properties,
  };
}

/** The same without what each block type takes: small enough to be read whole, with every type named. */
export function outlineSchema(catalog: Catalog): Schema {
  const schema = workflowSchema(catalog) as { properties: { blocks: { items: Schema } } };
  const { blocks, ...properties } = schema.properties;
  const { allOf: _, ...items } = blocks.items;
  return { ...schema, properties: { ...properties, blocks: { ...blocks, items } } };
}

/** The inputs and outputs of one block type. */
export function blockTypeSchema(type: BlockType): Schema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: type.type,
    description: type.summary,
    type: "object",
    properties: { inputs: inputsOf(type), outputs: jsonSchema(type.outputs(), "output") },
    capabilities: type.capabilities,
  };
}

const inputSchema: Schema = {
  type: "object",
  required: ["type"],
  additionalProperties: false,
  properties: {
    type: { enum: dataTypeNames },
    description: { type: "string" },
    default: { description: "Used when nothing is given; may use ${metadata.*}" },
    required: { type: "boolean", description: "Default: true unless there is a default" },
    enum: { type: "array", minItems: 1 },
    secret: {
      type: "boolean",
      description: "Takes a secret, ${secrets.NAME}, from a calling workflow and from nobody else",
    },
  } satisfies PropertiesFor<typeof inputKeys>,
};

const outputSchema: Schema = {
  anyOf: [
    { type: ["string", "number", "boolean", "array", "null"] },
    {
      type: "object",
      properties: {
        value: {},
        type: { enum: dataTypeNames },
        description: { type: "string" },
      } satisfies PropertiesFor<typeof outputKeys>,
    },
  ],
};

const dependency: Schema = {
  anyOf: [
    { type: "string" },
    {
      type: "object",
      required: ["block"],
      additionalProperties: false,
      properties: { block: { type: "string" }, required: { type: "boolean", default: true } },
    },
  ],
};

const fileOutput: Schema = {
  type: "object",
  required: ["path"],
  additionalProperties: false,
  properties: {
    type: { enum: fileOutputTypes, default: "str" },
    path: { type: "string", description: "Relative to the working directory, or under $SCRATCH" },
    required: { type: "boolean", default: true },
    unsafe: { type: "boolean", default: false, description: "Allows an absolute path" },
    description: { type: "string" },
  } satisfies PropertiesFor<typeof fileOutputKeys>,
};

function blockSchema(catalog: Catalog): Schema {
  const properties: PropertiesFor<typeof blockKeys> = {
    id: { type: "string", pattern: "^[a-z_][a-z0-9_]*$" },
    type: {
      description: "The block type",
      anyOf: catalog.types.map(({ type, summary, aliases }) => ({
        enum: [type, ...(aliases ?? [])],
        description: summary,
      })),
    },
    description: { type: "string" },
    inputs: { type: "object" },
    depends_on: {
      anyOf: [{ type: "string" }, { type: "array", items: dependency }],
      description: "Blocks that must end before",
    },
    condition: { type: ["string", "boolean"], description: "Runs only if this is true" },
    outputs: { type: "object", additionalProperties: fileOutput, description: "Files to read when the block ends" },
    for_each: {
      description: "Runs once per element: a list, a map or an expression that gives one",
      anyOf: [expression, { type: ["array", "object"] }],
    },
    for_each_mode: { enum: ["parallel", "sequential"], default: "parallel" },
    max_parallel: { type: "integer", minimum: 1, default: 5, description: "Elements of for_each at the same time" },
    on_error: {
      enum: ["continue", "stop"],
      default: "continue",
      description: "What a failed element means for the others",
    },
    timeout,
    on_interrupted: {
      enum: onInterruptedChoices,
      description: "What becomes of it when Frond is killed while it runs: run it again, ask, or let it fail",
    },
    sandbox,
  };
  return {
    type: "object",
    required: ["id", "type"],
    additionalProperties: false,
    properties,
    allOf: catalog.types.map((type) => ({
      if: { properties: { type: { enum: [type.type, ...(type.aliases ?? [])] } }, required: ["type"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, not a promise
      then: { properties: { inputs: inputsOf(type) } },
    })),
  };
}

function inputsOf(type: BlockType): Schema {
  const schema = jsonSchema(type.inputs(), "input") as { properties: Record<string, Schema> };
  const properties = mapValues(schema.properties, orExpression);
  if (type.timeoutInput !== undefined) {
    properties[type.timeoutInput.name] = { ...timeout, description: "The same as `timeout` on the block" };
  }
  return { ...schema, properties };
}

/** Anything can be given by an expression, also what is inside a list or a map; a text can hold one anyway. */
function orExpression(schema: Schema): Schema {
  const opened = openParts(schema);
  if (takesExpression(opened)) return opened;
  const { description, default: fallback, ...rest } = opened;
  return {
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
    anyOf: [...(Array.isArray(rest.anyOf) ? (rest.anyOf as Schema[]) : [rest]), expression],
  };
}

/** By a constant a map is told from others, so it has to be written out. */
function takesExpression({ type, enum: choices, pattern, const: constant, anyOf, oneOf }: Schema): boolean {
  if (constant !== undefined) return true;
  if (Array.isArray(anyOf)) return (anyOf as Schema[]).some(takesExpression);
  if (oneOf !== undefined || choices !== undefined || pattern !== undefined) return false;
  return type === undefined || [type].flat().includes("string");
}

function openParts(schema: Schema): Schema {
  const opened = { ...schema };
  for (const key of ["properties", "items", "additionalProperties", "anyOf", "oneOf"]) {
    const part = schema[key];
    if (typeof part !== "object" || part === null) continue;
    if (key === "properties") opened[key] = mapValues(part as Record<string, Schema>, orExpression);
    else opened[key] = Array.isArray(part) ? (part as Schema[]).map(openParts) : orExpression(part as Schema);
  }
  return opened;
}

function mapValues(schemas: Record<string, Schema>, change: (schema: Schema) => Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io }) as Schema;
  return rest;
}
