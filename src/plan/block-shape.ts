import type * as z from "zod";
import type { DataType } from "../definition/data-type.ts";
import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import { workflowKey } from "../definition/workflow-path.ts";
import type { StaticType } from "../expression/infer-type.ts";

/**
 * What is known before a run of the record a block will leave: its outputs with their types, and the records inside it. Checks
 * of references walk shapes the way the run later walks records.
 */
export interface BlockShape {
  /** Absent when the outputs can't be known, as for a child workflow that is not there. */
  readonly outputs?: ReadonlyMap<string, StaticType>;
  /** Absent when they differ from element to element, or can't be known. */
  readonly inputs?: readonly string[];
  /** Names of outputs that tell how the block went. */
  readonly stateOutputs: readonly string[];
  readonly children: Children;
}

export type Children =
  | { readonly kind: "none" }
  /** Something is inside, but not known what. */
  | { readonly kind: "unknown" }
  /** Those of a workflow or of a group; `what` names it in messages. */
  | { readonly kind: "workflow"; readonly holder: BlockHolder; readonly what: string }
  /** A loop: one record per pass, all of one shape. */
  | { readonly kind: "elements"; readonly shape: BlockShape };

export type BlockHolder = Pick<WorkflowDefinition, "blocks" | "unreadable" | "outputs">;

/** A block of a workflow that is not there: nothing is known but how blocks tell their state. */
export const unknownShape: BlockShape = { stateOutputs: ["exit_code"], children: { kind: "unknown" } };

/** Finds a workflow by its key: see `workflowKey`. */
export type FindWorkflow = (key: string) => WorkflowDefinition | undefined;

export function shapeOf(block: BlockDefinition, find: FindWorkflow): BlockShape {
  const single = singleShape(block, find);
  if (block.forEach === undefined && block.repeat === undefined) return single;
  return {
    outputs: new Map<string, StaticType>([
      ["results", "list"],
      ["count", "number"],
      ["failed_keys", "list"],
      block.repeat === undefined ? (["failed_elements", "list"] as const) : (["last", "any"] as const),
    ]),
    stateOutputs: [],
    children: { kind: "elements", shape: single },
  };
}

/** The shape of the block itself, or of one pass if it is a loop. */
export function singleShape(block: BlockDefinition, find: FindWorkflow): BlockShape {
  const { type } = block;
  const inputs = Object.keys(type.inputs().shape);
  const stateOutputs = Object.keys(type.stateOutputs ?? {});
  if (type.behaviour.kind !== "leaf") {
    const child = knownChild(block, find);
    const holder = block.group ?? child;
    if (holder === undefined) return { inputs, stateOutputs, children: { kind: "unknown" } };
    // An output of one that did not get so far is null, so its declared type is no promise.
    const outputs = new Map([...holder.outputs.keys()].map((name) => [name, "any" as const]));
    const what = child === undefined ? `block '${block.id}'` : `The workflow '${child.name}'`;
    return { outputs, inputs, stateOutputs, children: { kind: "workflow", holder, what } };
  }
  const outputs = new Map<string, StaticType>();
  for (const [name, schema] of Object.entries(type.outputs().shape)) outputs.set(name, typeOfSchema(schema));
  for (const output of block.fileOutputs) outputs.set(output.name, "any");
  return { outputs, inputs, stateOutputs, children: { kind: "none" } };
}

const blocksById = new WeakMap<BlockHolder, ReadonlyMap<string, BlockDefinition>>();

export function findBlock(holder: BlockHolder, id: string): BlockDefinition | undefined {
  let byId = blocksById.get(holder);
  if (byId === undefined) {
    byId = new Map(holder.blocks.map((block) => [block.id, block]));
    blocksById.set(holder, byId);
  }
  return byId.get(id);
}

/** The workflow a nested block calls, when it is written out and known. */
export function knownChild(block: BlockDefinition, find: FindWorkflow): WorkflowDefinition | undefined {
  const key = childKey(block);
  return key === undefined ? undefined : find(key);
}

/** What it is known as, when it is written out. */
export function childKey(block: BlockDefinition): string | undefined {
  const written = writtenChild(block);
  return written === undefined ? undefined : workflowKey(written, block.range.source);
}

/** Its name or path as it stands there. */
export function writtenChild(block: BlockDefinition): string | undefined {
  const { behaviour } = block.type;
  if (behaviour.kind !== "nested") return undefined;
  const value = block.inputs.get(behaviour.nameInput)?.value;
  return value?.kind === "literal" && typeof value.value === "string" ? value.value : undefined;
}

export function typeOfData(type: DataType | undefined): StaticType {
  switch (type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return "list";
    case "object":
      return "map";
    default:
      return "any";
  }
}

const schemaTypes: Record<string, StaticType> = {
  string: "string",
  number: "number",
  int: "number",
  boolean: "boolean",
  array: "list",
  object: "map",
  record: "map",
};

function typeOfSchema(schema: z.core.$ZodType): StaticType {
  const { def } = schema._zod;
  if (def.type === "default" || def.type === "optional") {
    return typeOfSchema((def as z.core.$ZodOptionalDef).innerType);
  }
  return schemaTypes[def.type] ?? "any";
}
