import { tighterOf } from "../block/sandbox.ts";
import type { ValueMap } from "../expression/value.ts";
import type { Plan, PlannedBlock } from "../plan/plan.ts";
import { createActiveTime } from "./active-time.ts";
import { childPath } from "./address.ts";
import { openScope } from "./budget-scope.ts";
import { createExecution, type Execution } from "./execution.ts";
import {
  childNodes,
  type ElementScope,
  type LoopInside,
  type RunNode,
  type RunNodeInside,
  type Stage,
  type WorkflowInside,
} from "./run-node.ts";
import type { RunState } from "./state.ts";

/** The blocks of a workflow or of a group that a node begins to run. */
export function enterWorkflow(
  state: RunState,
  node: RunNode,
  plan: Plan,
  inputs: ValueMap,
  workspace: string,
  at: string,
): void {
  const children: RunNode[] = [];
  node.record.blocks = Object.create(null) as Record<string, Execution>;
  const around = node.parent === undefined ? state.started : (node.workflow.inside as WorkflowInside);
  node.inside = {
    kind: "workflow",
    plan,
    isGroup: plan === node.block?.group,
    inputs,
    workspace,
    sandbox: tighterOf(around.sandbox, plan.definition.sandbox),
    children,
    waiting: plan.blocks.map((block) => block.edges.length),
    open: plan.mainBlocks,
    completions: 0,
    ranBecauseOf: new Map(),
    remarks: undefined,
    closing: undefined,
    stopping: undefined,
    active: isLimited(node, plan) ? createActiveTime() : undefined,
  };
  openWorkflowScope(state, node, plan);
  Object.assign(node.record.metadata, {
    run_id: state.started.runId,
    workflow_name: plan.definition.name,
    start_time: at,
    total_blocks: plan.blocks.length,
    execution_waves: plan.waves.length,
  });
  for (const block of plan.blocks) {
    const child = createNode(node, block.definition.id, block, undefined);
    children.push(child);
    state.nodes.set(child.path, child);
    node.record.blocks[block.definition.id] = child.record;
  }
}

/** Of a workflow: its own budget, and that of the block which runs it, or of the run. A pass has that of its loop around it. */
function openWorkflowScope({ started }: RunState, node: RunNode, plan: Plan): void {
  const { block, element, parent } = node;
  const given = parent === undefined ? started.budget : element === undefined ? block?.definition.budget : undefined;
  openScope(node, [given, plan.definition.budget]);
}

function isLimited({ block }: RunNode, { definition }: Plan): boolean {
  return definition.timeout !== undefined || block?.definition.timeout !== undefined;
}

/** A new attempt starts afresh: what earlier ones held is in the journal alone. */
export function forgetInside(state: RunState, node: RunNode): void {
  for (const child of childNodes(node)) {
    forgetInside(state, child);
    state.nodes.delete(child.path);
    // A command may have outlived its attempt, and has to be found when its engine dies.
    if (child.processes.length > 0) node.processes = [...node.processes, ...child.processes];
  }
  node.inside = leaf;
}

export function enterPass(state: RunState, loop: RunNode, inside: LoopInside, element: ElementScope): void {
  const key = String(element.key);
  const pass = createNode(loop, key, loop.block, element);
  inside.passes.push(pass);
  inside.passByKey.set(key, pass);
  state.nodes.set(pass.path, pass);
  loop.record.blocks[key] = pass.record;
}

/** Of a repeated block. */
export function addPass(state: RunState, loop: RunNode, inside: LoopInside): void {
  const index = inside.passes.length;
  const element = { key: index, value: null };
  inside.elements.push(element);
  enterPass(state, loop, inside, { ...element, index, count: index + 1 });
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const none: readonly never[] = [];
const leaf: RunNodeInside = { kind: "leaf" };
const waiting: Stage = { kind: "waiting" };

export function createNode(
  parent: RunNode | undefined,
  key: string,
  block: PlannedBlock | undefined,
  element: ElementScope | undefined,
  assumed: RunNode["assumed"] = parent?.assumed,
): RunNode {
  const node: Writable<RunNode> = {
    path: parent === undefined ? "" : childPath(parent.path, key),
    key,
    parent,
    block,
    element,
    record: createExecution(block?.wave ?? 0),
    // A pass is evaluated in the workflow of its loop; a block in the workflow that holds it; the root in itself.
    workflow: (element === undefined ? parent : parent?.workflow) as RunNode,
    inside: leaf,
    stage: waiting,
    answer: undefined,
    processes: none,
    fileChange: undefined,
    observation: undefined,
    rollback: undefined,
    seen: none,
    origin: undefined,
    askedPerson: false,
    questions: 0,
    attemptAt: undefined,
    attemptMs: 0,
    attemptSpend: undefined,
    reserved: undefined,
    budget: undefined,
    runningSince: undefined,
    earlier: none,
    cancelling: undefined,
    cause: undefined,
    ended: false,
    assumed,
  };
  node.workflow ??= node;
  return node;
}
