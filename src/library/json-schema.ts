import * as z from "zod";
import type { Catalog } from "../block/catalog.ts";
import type { BlockType } from "../block/define-block.ts";
import { blockHeadKeys, blockKeys, compensationKeys } from "../definition/block-keys.ts";
import { expressionSchema, timeLimit } from "../definition/forms.ts";
import { type JsonSchema, listKeys, type MapSchema, mapSchema } from "../definition/key.ts";
import { outputs } from "../definition/load-outputs.ts";
import { workflowKeys } from "../definition/workflow-keys.ts";
import { defined } from "../util/defined.ts";

/** The JSON Schema of a workflow file without what each block type takes: small enough to be read whole. */
function outlineSchema(catalog: Catalog): WorkflowSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Frond workflow",
    ...mapSchema(listKeys(workflowKeys), catalog),
    $defs: { block: blockSchema(catalog), compensation: compensationSchema(catalog) },
  };
}

export interface WorkflowSchema extends MapSchema {
  readonly $defs: { readonly block: MapSchema; readonly compensation: MapSchema };
}

/** The whole JSON Schema of a workflow file, for editors. */
export function workflowSchema(catalog: Catalog): WorkflowSchema {
  const { $defs, ...outline } = outlineSchema(catalog);
  const allOf = catalog.types.map((type) => ({
    if: { properties: { type: { enum: [type.type, ...(type.aliases ?? [])] } }, required: ["type"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, not a promise
    then: { properties: { inputs: inputsOf(type) } },
  }));
  const { block, compensation } = $defs;
  return { ...outline, $defs: { block: { ...block, allOf }, compensation: { ...compensation, allOf } } };
}

/** What stands under `undo:`. */
function compensationSchema(catalog: Catalog): MapSchema {
  return { ...mapSchema([blockHeadKeys.type, ...listKeys(compensationKeys)], catalog), required: ["type"] };
}

/** A block has a type or blocks of its own, and what `outputs` are follows from that. */
function blockSchema(catalog: Catalog): MapSchema {
  const block = mapSchema(blockKeys, catalog);
  const { outputs: ofType, ...properties } = block.properties as { readonly outputs: JsonSchema };
  const ofGroup = typeof outputs.schema === "function" ? outputs.schema(catalog) : outputs.schema;
  return {
    ...block,
    required: ["id"],
    properties: { ...properties, outputs: { description: ofType.description, type: "object" } },
    oneOf: [
      { required: ["type"], properties: { blocks: false, outputs: ofType } },
      { required: ["blocks"], properties: { type: false, outputs: ofGroup, inputs: { maxProperties: 0 } } },
    ],
  };
}

/** The inputs and outputs of one block type. */
export function blockTypeSchema(type: BlockType): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: type.type,
    description: type.summary,
    type: "object",
    properties: { inputs: inputsOf(type), outputs: jsonSchema(type.outputs(), "output") },
    capabilities: type.capabilities,
  };
}

function inputsOf(type: BlockType): JsonSchema {
  const schema = jsonSchema(type.inputs(), "input") as { properties: Record<string, JsonSchema> };
  const properties = mapValues(schema.properties, orExpression);
  if (type.timeoutInput !== undefined) {
    properties[type.timeoutInput.name] = { ...timeLimit.schema, description: "The same as `timeout` on the block" };
  }
  return { ...schema, properties };
}

/** Anything can be given by an expression, also what is inside a list or a map; a text can hold one anyway. */
function orExpression(schema: JsonSchema): JsonSchema {
  const opened = openParts(schema);
  if (takesExpression(opened)) return opened;
  const { description, default: fallback, ...rest } = opened;
  return {
    ...defined({ description, default: fallback }),
    anyOf: [...(Array.isArray(rest.anyOf) ? (rest.anyOf as JsonSchema[]) : [rest]), expressionSchema],
  };
}

/** By a constant a map is told from others, so it has to be written out. */
function takesExpression({ type, enum: choices, pattern, const: constant, anyOf, oneOf }: JsonSchema): boolean {
  if (constant !== undefined) return true;
  if (Array.isArray(anyOf)) return (anyOf as JsonSchema[]).some(takesExpression);
  if (oneOf !== undefined || choices !== undefined || pattern !== undefined) return false;
  return type === undefined || [type].flat().includes("string");
}

function openParts(schema: JsonSchema): JsonSchema {
  const opened = { ...schema };
  for (const key of ["properties", "items", "additionalProperties", "anyOf", "oneOf"]) {
    const part = schema[key];
    if (typeof part !== "object" || part === null) continue;
    if (key === "properties") opened[key] = mapValues(part as Record<string, JsonSchema>, orExpression);
    else opened[key] = Array.isArray(part) ? (part as JsonSchema[]).map(openParts) : orExpression(part as JsonSchema);
  }
  return opened;
}

function mapValues(
  schemas: Record<string, JsonSchema>,
  change: (schema: JsonSchema) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io }) as JsonSchema;
  return rest;
}
