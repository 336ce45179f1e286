import type { ChildWorkflow } from "../block/define-block.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { isWorkflowPath, pathProblem, workflowKey } from "../definition/workflow-path.ts";
import { secretArgumentProblems } from "../plan/check-secrets.ts";
import type { Plan } from "../plan/plan.ts";
import { err, ok, type Result } from "../util/result.ts";
import { bindInputs } from "./bind-inputs.ts";
import type { FrozenDefinition, Inside } from "./events.ts";
import type { RunNode, WorkflowInside } from "./run-node.ts";
import type { EnginePlatform, RunnerOptions } from "./runner-options.ts";
import { foreseenMetadata, startMetadata } from "./start-metadata.ts";
import type { RunState } from "./state.ts";

/** Where children and their workspaces are found. */
export interface ChildSources {
  readonly platform: Pick<EnginePlatform, "directoryInside">;
  readonly findLate: RunnerOptions["findLate"];
}

/** What a nested block will hold from `at` on: the child with its inputs bound, or why it can't be entered. */
export function enterChild(
  node: RunNode,
  child: ChildWorkflow,
  state: RunState,
  at: string,
  options: ChildSources,
): Result<Inside & { kind: "workflow" }, string> {
  const callers = callersOf(node);
  const { maxDepth } = state.started;
  if (callers.length >= maxDepth) {
    return err(`Workflows are nested more than ${maxDepth} deep (FROND_MAX_DEPTH).`);
  }
  const key = keyOfChild(node, child);
  if (!key.ok) return key;
  const definition = lateDefinition(key.value, state, options);
  if (!definition.ok) return definition;
  const plan = state.plans(key.value, definition.value);
  if (!plan.ok) return plan;
  if (callers.includes(plan.value)) {
    const cycle = [...callers.slice(callers.indexOf(plan.value)), plan.value];
    return err(
      `Circular call: the workflow calls itself: ${cycle.map(({ definition: { name } }) => name).join(" -> ")}.`,
    );
  }
  const refused = refuseArguments(node, plan.value.definition);
  if (refused !== undefined) return err(refused);
  const bound = bindInputs(
    plan.value.definition,
    child.inputs,
    node.assumed === undefined
      ? startMetadata(plan.value.definition.name, state.started.runId, at)
      : foreseenMetadata(plan.value.definition.name),
  );
  if (!bound.ok)
    return err(bound.error.map(({ message, fix }) => (fix === undefined ? message : `${message} ${fix}`)).join(" "));
  const { workspace } = node.workflow.inside as WorkflowInside;
  const inner =
    child.workspace === undefined ? ok(workspace) : options.platform.directoryInside(workspace, child.workspace);
  if (!inner.ok) return err(`workspace: ${inner.error}`);
  return ok({
    kind: "workflow",
    workflow: key.value,
    inputs: bound.value,
    workspace: inner.value,
    ...(definition.value === undefined ? {} : { definition: definition.value }),
  });
}

/** What a child turns out to be that was not known when the workflow was checked. */
function refuseArguments({ block, workflow }: RunNode, child: WorkflowDefinition): string | undefined {
  const { plan } = workflow.inside as WorkflowInside;
  const [problem] = block === undefined ? [] : secretArgumentProblems(block.definition, plan.definition, child);
  return problem === undefined ? undefined : `${problem.message} ${problem.fix}`;
}

function lateDefinition(
  key: string,
  state: RunState,
  options: ChildSources,
): Result<FrozenDefinition | undefined, string> {
  return state.definitions.has(key) ? ok(undefined) : options.findLate(key);
}

/** What the child is known as; a path is held to what the file that says it may name, also when it is computed. */
function keyOfChild({ block }: RunNode, { workflow }: ChildWorkflow): Result<string, string> {
  const source = block?.definition.range.source;
  if (source === undefined) return ok(workflow);
  const refused = isWorkflowPath(workflow) ? pathProblem(workflow, source) : undefined;
  return refused === undefined ? ok(workflowKey(workflow, source)) : err(`${refused.message} ${refused.fix}`);
}

/** Plans of the workflows around a node, outermost first. */
function callersOf(node: RunNode): Plan[] {
  const plans: Plan[] = [];
  for (let at: RunNode | undefined = node.parent; at !== undefined; at = at.parent) {
    if (at.inside.kind === "workflow" && !at.inside.isGroup) plans.unshift(at.inside.plan);
  }
  return plans;
}
