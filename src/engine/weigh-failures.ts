import type { HandledFailure } from "./events.ts";
import { childNodes, type RunNode, type WorkflowInside } from "./run-node.ts";

/** What the failures in a workflow mean for it. */
export interface WeighedFailures {
  /** They could not run. */
  readonly crashed: readonly RunNode[];
  /** Their operation failed, and that is how the workflow has gone. */
  readonly standing: readonly RunNode[];
  /** It failed as well, but it was allowed to, or the workflow went on with something else. */
  readonly handled: readonly HandledFailure[];
}

/** Of the blocks that decide how the workflow has gone, or of those under `finally`. */
export function weighFailures(inside: WorkflowInside, which: "main" | "finally"): WeighedFailures {
  const { mainBlocks } = inside.plan;
  const weighed = which === "main" ? inside.children.slice(0, mainBlocks) : inside.children.slice(mainBlocks);
  const crashed: RunNode[] = [];
  const standing: RunNode[] = [];
  const handled: HandledFailure[] = [];
  for (const child of weighed) {
    const { metadata } = child.record;
    if (!metadata.failed) continue;
    // It was ended for another one's failure, which counts.
    if (inside.stopping?.rollback && child.cause === "cancelled") continue;
    const isAllowed = child.block?.definition.allowFailure === true && !hasCrashed(child);
    const by = isAllowed || metadata.status === "failed" ? [] : fallbacksFor(child, inside);
    if (isAllowed || by.length > 0) handled.push({ block: child.path, by, message: metadata.message ?? "" });
    else if (metadata.status === "failed") crashed.push(child);
    else standing.push(child);
  }
  return { crashed, standing, handled };
}

/**
 * Whether something could not run in it: a time limit and a budget are no crash, and neither is what could not run for time limits inside it
 * alone. Where all inside it could run, it is itself what could not: its `until` or `expect` can't be judged.
 */
function hasCrashed(node: RunNode): boolean {
  if (node.record.metadata.status !== "failed") return false;
  if (node.cause === "timeout" || node.cause === "budget") return false;
  const unable = node.cause === undefined ? unableInside(node) : [];
  return unable.length === 0 || unable.some(hasCrashed);
}

/** What could not run in it, and is why it could not. */
function unableInside(node: RunNode): readonly RunNode[] {
  const { inside } = node;
  if (inside.kind !== "workflow") return childNodes(node).filter(({ record }) => record.metadata.status === "failed");
  const { crashed } = weighFailures(inside, "main");
  return crashed.length > 0 ? crashed : weighFailures(inside, "finally").crashed;
}

/** The blocks that ran because of a failure, and whose result something uses: with them the workflow went on. */
function fallbacksFor(failed: RunNode, inside: WorkflowInside): string[] {
  return ranBecauseOf(failed, inside)
    .filter((fallback) => isUsed(fallback, failed, inside) && !hasMadeNothing(fallback, inside))
    .map(({ key }) => key);
}

/** It failed as well, which it was allowed to, and nothing was used instead of it. One that may not fail counts itself. */
function hasMadeNothing(fallback: RunNode, inside: WorkflowInside): boolean {
  const isAllowed = fallback.block?.definition.allowFailure === true;
  return isAllowed && fallback.record.metadata.failed && fallbacksFor(fallback, inside).length === 0;
}

/** The blocks that would not have run without a failure, and did. */
export function ranBecauseOf(failed: RunNode, inside: WorkflowInside): RunNode[] {
  return [...(inside.ranBecauseOf.get(failed.key) ?? [])]
    .map((id) => inside.children[inside.plan.indexOf.get(id) ?? -1])
    .filter((node): node is RunNode => node?.record.metadata.status === "completed");
}

/**
 * A workflow output reads something that it made, or a block that depends on it ran. One that runs with or without it and reads
 * how the failed block went tells of the failure, such as a summary; that is no use.
 */
function isUsed(fallback: RunNode, failed: RunNode, { plan, children }: WorkflowInside): boolean {
  const [made, lost] = [fallback.block?.index ?? -1, failed.block?.index ?? -1];
  if (plan.usedByOutputs.has(made)) return true;
  return (fallback.block?.dependents ?? []).some((index) => {
    const dependent = children[index] as RunNode;
    if (dependent.record.metadata.status !== "completed") return false;
    const needsIt = dependent.block?.edges.some(
      ({ on, required, conditionDecides }) => on === made && required && !conditionDecides,
    );
    return needsIt || !dependent.block?.readsStateOf.has(lost);
  });
}
