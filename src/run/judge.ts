import { quoteSource } from "../definition/value-template.ts";
import type { PlacedExpression } from "../definition/workflow-definition.ts";
import type { Scope } from "../expression/ast.ts";
import { evaluate } from "../expression/evaluate.ts";
import { describeValue } from "../expression/format-value.ts";
import type { Edge } from "../plan/plan.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { SkipReason } from "./events.ts";
import type { Metadata } from "./execution.ts";
import type { Node, WorkflowInside } from "./node.ts";
import { WorkflowScope } from "./scope.ts";

/** Whether the dependencies of a block let it run; the reason if not. */
export function judgeDependencies(node: Node): SkipReason | undefined {
  const { children } = node.workflow.inside as WorkflowInside;
  for (const edge of node.block?.edges ?? []) {
    if (edge.conditionDecides) continue;
    const dependency = children[edge.on] as Node;
    const { metadata } = dependency.record;
    if (lets(edge, metadata)) continue;
    return {
      kind: "dependency",
      message: `'${dependency.key}' ${howItEnded(metadata)}${edge.required ? ", and is required" : ""}.`,
    };
  }
  return undefined;
}

function lets(edge: Edge, dependency: Metadata): boolean {
  if (dependency.succeeded) return true;
  return !edge.required && dependency.status !== "failed";
}

function howItEnded(metadata: Metadata): string {
  if (metadata.skipped) return "was skipped";
  return metadata.status === "failed" ? "could not run" : "failed";
}

/** A condition gives true or false; anything else is an error that names the value. */
export function judgeCondition(condition: PlacedExpression, scope: Scope): Result<boolean, string> {
  const result = evaluate(condition.expression, scope);
  if (!result.ok) return err(`condition: ${quoteSource(condition.text, result.error)}`);
  if (typeof result.value === "boolean") return ok(result.value);
  return err(`condition: ${condition.text.text.trim()} gives ${describeValue(result.value)}, not true or false.`);
}

/**
 * Which failed dependencies a block that is about to run deals with: those behind an edge that says `required: false`, and
 * those but for whose failure the condition would have been false. When several failed at once, a failure counts if the
 * condition turns on it alone, or turns on it once all the others are taken as successes (`a.failed or b.failed`).
 */
export function handledFailures(node: Node, runId: string): string[] {
  const { children } = node.workflow.inside as WorkflowInside;
  const failed = (node.block?.edges ?? [])
    .map((edge) => ({ edge, dependency: children[edge.on] as Node }))
    .filter(({ dependency }) => dependency.record.metadata.outcome === "failure");
  if (failed.length === 0) return [];
  const mentioned = failed.filter(({ edge }) => edge.conditionDecides).map(({ dependency }) => dependency.key);
  const runsWithout = (assumed: readonly string[]): boolean | undefined => {
    const condition = node.block?.definition.condition;
    if (condition === undefined) return undefined;
    const verdict = judgeCondition(condition, WorkflowScope.ofBlock(node, runId, new Set(assumed)));
    return verdict.ok ? verdict.value : undefined;
  };
  const withoutAny = mentioned.length > 1 ? runsWithout(mentioned) : undefined;
  return failed.flatMap(({ edge, dependency: { key } }) => {
    if (edge.saysOptional) return [key];
    if (!edge.conditionDecides) return [];
    if (runsWithout([key]) === false) return [key];
    const others = mentioned.filter((other) => other !== key);
    return withoutAny === false && runsWithout(others) === true ? [key] : [];
  });
}
