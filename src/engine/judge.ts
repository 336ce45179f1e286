import { quoteSource } from "../definition/value-template.ts";
import type { PlacedExpression } from "../definition/workflow-definition.ts";
import type { Scope } from "../expression/ast.ts";
import { evaluate } from "../expression/evaluate.ts";
import { describeValue } from "../expression/format-value.ts";
import { references } from "../expression/references.ts";
import type { Edge } from "../plan/plan.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { SkipReason } from "./events.ts";
import type { Metadata, StopCause } from "./execution.ts";
import { childNodes, type RunNode, scopesAround, type WorkflowInside } from "./run-node.ts";
import { WorkflowScope } from "./scope.ts";

/** Whether the dependencies of a block let it run; the reason if not. */
export function judgeDependencies(node: RunNode): SkipReason | undefined {
  for (const { dependency, required, conditionDecides } of dependenciesOf(node)) {
    if (conditionDecides || lets(required, dependency.record.metadata)) continue;
    return {
      kind: "dependency",
      message: `'${dependency.key}' ${howItEnded(dependency)}${required ? ", and is required" : ""}.`,
    };
  }
  return undefined;
}

export interface Dependency extends Pick<Edge, "required" | "conditionDecides"> {
  readonly dependency: RunNode;
}

/** Everything that a block waits for, in the order of its edges. */
export function* dependenciesOf(node: RunNode): Generator<Dependency> {
  const { edges = [], outerEdges = [] } = node.block ?? {};
  for (const { on, required, conditionDecides } of edges) {
    yield { dependency: blockIn(node.workflow, on), required, conditionDecides };
  }
  if (outerEdges.length === 0) return;
  const scopes = [...scopesAround(node)];
  for (const { levels, on, required } of outerEdges) {
    yield { dependency: blockIn(scopes[levels] as RunNode, on), required, conditionDecides: false };
  }
}

function blockIn({ inside }: RunNode, index: number): RunNode {
  return (inside as WorkflowInside).children[index] as RunNode;
}

function lets(required: boolean, dependency: Metadata): boolean {
  if (dependency.succeeded) return true;
  return !required && dependency.status !== "failed";
}

/** In words that follow the name of a block that did not succeed. */
export function howItEnded(node: RunNode): string {
  const { metadata } = node.record;
  if (metadata.skipped) return "was skipped";
  if (metadata.status !== "failed") return "failed";
  const cause = stopCauseOf(node);
  return cause === undefined ? "could not run" : stopWords[cause];
}

/** Why something was ended early: by itself, or because all that failed inside it was. */
export function stopCauseOf(node: RunNode): StopCause | undefined {
  if (node.cause !== undefined || node.record.metadata.status !== "failed") return node.cause;
  const failed = childNodes(node).filter(({ record }) => record.metadata.status === "failed");
  const causes = new Set(failed.map(stopCauseOf));
  const [cause] = causes;
  return causes.size === 1 ? cause : undefined;
}

const stopWords: Readonly<Record<StopCause, string>> = {
  timeout: "timed out",
  cancelled: "was cancelled",
  interrupted: "was interrupted",
  limit: "was stopped",
  budget: "exceeded its budget",
};

/** A condition gives true or false; anything else is an error that names the value. */
export function judgeCondition(
  condition: PlacedExpression,
  scope: Scope,
  name: string = "condition",
): Result<boolean, string> {
  const result = evaluate(condition.expression, scope);
  if (!result.ok) return err(`${name}: ${quoteSource(condition.text, result.error)}`);
  if (typeof result.value === "boolean") return ok(result.value);
  return err(`${name}: ${condition.text.text.trim()} gives ${describeValue(result.value)}, not true or false.`);
}

/** In one line. */
export function quoteCondition({ text }: PlacedExpression): string {
  return text.text.trim().replaceAll(/\s+/g, " ");
}

/**
 * Because of which failures a block is about to run: those of blocks that its condition mentions and but for which it would have
 * been false. When several failed at once, one counts if the condition turns on it alone, or turns on it once all the others are
 * taken as successes (`a.failed or b.failed`).
 */
export function failuresBehind(node: RunNode, runId: string): string[] {
  const { block } = node;
  const condition = block?.definition.condition;
  const isJudgedLater = node.element === undefined && block?.conditionPerElement;
  if (block === undefined || condition === undefined || isJudgedLater || block.definition.isFinally) return [];
  const { children } = node.workflow.inside as WorkflowInside;
  const failed = block.mentions
    .map((index) => children[index] as RunNode)
    .filter((child) => hasFailed(child) && asksForAll(condition, child))
    .map(({ key }) => key);
  const runsWithout = (assumed: readonly string[]): boolean => {
    const verdict = judgeCondition(condition, WorkflowScope.ofBlock(node, runId, new Set(assumed)));
    // A condition that can't be judged lets nothing run.
    return verdict.ok && verdict.value;
  };
  const needsOne = failed.length > 1 && !runsWithout(failed);
  return failed.filter(
    (key) => !runsWithout([key]) || (needsOne && runsWithout(failed.filter((other) => other !== key))),
  );
}

/** A time limit or an exceeded budget is told with them, though nothing but `allow_failure` answers it. */
function hasFailed({ record, cause }: RunNode): boolean {
  return record.metadata.outcome === "failure" || cause === "timeout" || cause === "budget";
}

/** Whether a condition asks how the node went, or how everything went that failed directly inside it. */
function asksForAll({ expression }: PlacedExpression, node: RunNode): boolean {
  const asked = references(expression).filter(({ root, keys }) => root === "blocks" && String(keys[0]) === node.key);
  if (asked.some(({ keys }) => keys[1] !== "blocks" || keys[2] === undefined)) return true;
  const inside = new Set(asked.map(({ keys }) => String(keys[2])));
  const answered = new Set(
    node.inside.kind === "workflow" ? node.inside.remarks?.handledFailures.map(({ block }) => block) : [],
  );
  return childNodes(node).every(
    ({ record, key, path }) => !record.metadata.failed || inside.has(key) || answered.has(path),
  );
}
