import type { ValueTemplate } from "../definition/value-template.ts";
import type { BlockDefinition } from "../definition/workflow-definition.ts";
import { childKey, writtenChild } from "../plan/block-shape.ts";
import type { Edge, Plan, PlannedBlock } from "../plan/plan.ts";
import { defined } from "../util/defined.ts";

/** The plan of a workflow with the plans of everything inside of it: what `frond graph` draws. */
export interface WorkflowGraph {
  /** In the order of the file, those under `finally` last; edges refer to positions in this list. */
  readonly blocks: readonly GraphBlock[];
}

export interface GraphBlock {
  readonly id: string;
  /** From the root: `deploy/build`. */
  readonly path: string;
  readonly type: string;
  /** A person, or a model, is asked. */
  readonly asks?: true;
  readonly finally?: true;
  /** The workflow that it calls, as it is written there. */
  readonly workflow?: string;
  readonly condition?: string;
  readonly for_each?: string;
  readonly sequential?: true;
  readonly repeat?: { readonly max: string; readonly until?: string };
  /** How often it is tried in all. */
  readonly attempts?: string;
  readonly allow_failure?: true;
  readonly edges: readonly GraphEdge[];
  readonly inside?: WorkflowGraph;
  /** The same for all blocks that call the same workflow, however they name it. */
  readonly workflowKey?: string;
  /** What is inside, where that is left out. */
  readonly leftOut?: LeftOut;
}

export interface GraphEdge {
  /** The block waited for. */
  readonly on: number;
  readonly kind: EdgeKind;
}

/** `condition`: its own condition decides what becomes of it; `inner_condition`: one inside of it does. */
export type EdgeKind = "required" | "optional" | "condition" | "inner_condition";

export type LeftOut =
  /** Which workflow is only known in a run. */
  | { readonly why: "computed" }
  /** There is none of this name now, or it is broken. */
  | { readonly why: "missing" }
  /** It is being drawn already, around this block. */
  | { readonly why: "recursion" }
  | { readonly why: "deeper"; readonly blocks: number };

/** The plan of a workflow that can be called, by its key. */
export type PlanOf = (key: string) => Plan | undefined;

/** `depth` is how many levels of blocks are taken in; with 1 those of the workflow itself. */
export function graphOf(plan: Plan, planOf: PlanOf, depth: number = Number.POSITIVE_INFINITY): WorkflowGraph {
  return makeGraph(plan, { planOf, depth: depth - 1, path: "", callers: new Set() });
}

/** A block of a graph by itself, for programs. */
export interface NodeRecord extends Omit<GraphBlock, "edges" | "inside" | "leftOut" | "workflowKey"> {
  /** The path of the block that holds it. */
  readonly parent?: string;
  /** Why what is inside it is not among the nodes. */
  readonly left_out?: LeftOut["why"];
}

export interface EdgeRecord {
  /** Paths of blocks: `to` waits for `from`. */
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
}

/** Each block before those inside it. */
export function listNodes({ blocks }: WorkflowGraph, parent?: string): NodeRecord[] {
  return blocks.flatMap(({ edges: _, inside, leftOut, workflowKey: __, ...block }) => [
    { ...block, ...defined({ parent, left_out: leftOut?.why }) },
    ...(inside === undefined ? [] : listNodes(inside, block.path)),
  ]);
}

export function listEdges({ blocks }: WorkflowGraph): EdgeRecord[] {
  return blocks.flatMap(({ path, edges, inside }) => [
    ...edges.map(({ on, kind }) => ({ from: blocks[on]?.path ?? "", to: path, kind })),
    ...(inside === undefined ? [] : listEdges(inside)),
  ]);
}

interface Place {
  readonly planOf: PlanOf;
  readonly depth: number;
  /** Of the block around, with the slash behind it. */
  readonly path: string;
  /** Keys of the workflows around. */
  readonly callers: ReadonlySet<string>;
}

function makeGraph({ blocks }: Plan, place: Place): WorkflowGraph {
  return { blocks: blocks.map((block) => describe(block, place)) };
}

function describe(block: PlannedBlock, place: Place): GraphBlock {
  const { definition, edges } = block;
  const { id, type, condition, retry } = definition;
  return {
    id,
    path: place.path + id,
    type: type.type,
    ...(type.capabilities.includes("prompts") ? { asks: true } : {}),
    ...(definition.isFinally ? { finally: true } : {}),
    ...defined({ workflow: calledName(definition), condition: condition?.text.text.trim() }),
    ...loopOf(definition),
    ...defined({ attempts: retry === undefined ? undefined : writtenValue(retry.attempts) }),
    ...(definition.allowFailure ? { allow_failure: true } : {}),
    edges: edges.map((edge) => ({ on: edge.on, kind: kindOf(edge, block) })),
    ...contentOf(block, place),
  };
}

function calledName(block: BlockDefinition): string | undefined {
  const { behaviour } = block.type;
  if (behaviour.kind !== "nested") return undefined;
  const name = block.inputs.get(behaviour.nameInput)?.value;
  return writtenChild(block) ?? (name === undefined ? undefined : writtenValue(name));
}

function loopOf({ forEach, repeat }: BlockDefinition): Partial<GraphBlock> {
  if (forEach !== undefined) {
    return { for_each: writtenValue(forEach.items), ...(forEach.mode === "sequential" ? { sequential: true } : {}) };
  }
  if (repeat === undefined) return {};
  return { repeat: { max: writtenValue(repeat.max), ...defined({ until: repeat.until?.text.text.trim() }) } };
}

function kindOf({ on, required, conditionDecides }: Edge, { definition, mentions }: PlannedBlock): EdgeKind {
  if (!conditionDecides) return required ? "required" : "optional";
  return definition.condition !== undefined && mentions.includes(on) ? "condition" : "inner_condition";
}

type Content = Pick<GraphBlock, "inside" | "leftOut" | "workflowKey">;

function contentOf(block: PlannedBlock, place: Place): Content {
  const { definition, group } = block;
  if (group !== undefined) return enter(group, place, definition.id);
  if (definition.type.behaviour.kind !== "nested") return {};
  const key = childKey(definition);
  if (key === undefined) return { leftOut: { why: "computed" } };
  if (place.callers.has(key)) return { leftOut: { why: "recursion" } };
  const plan = place.planOf(key);
  if (plan === undefined) return { leftOut: { why: "missing" } };
  return { ...enter(plan, { ...place, callers: new Set(place.callers).add(key) }, definition.id), workflowKey: key };
}

function enter(plan: Plan, place: Place, id: string): Content {
  if (place.depth <= 0) return { leftOut: { why: "deeper", blocks: plan.blocks.length } };
  return { inside: makeGraph(plan, { ...place, depth: place.depth - 1, path: `${place.path}${id}/` }) };
}

/** On one line, as the file has it. */
function writtenValue(template: ValueTemplate): string {
  if (template.kind === "literal" && typeof template.value === "string") return template.value;
  const { source, start, end } = template.range;
  const text = "text" in template ? template.text.text : source.text.slice(start, end);
  return text.replaceAll(/\s+/g, " ").trim();
}
