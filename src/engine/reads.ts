import type { Expression, PathNode, Root } from "../expression/ast.ts";
import { evaluate } from "../expression/evaluate.ts";
import { writePath } from "../expression/read-path.ts";
import { staticPath } from "../expression/references.ts";
import { isSameValue } from "../expression/value.ts";
import { childrenOf } from "../expression/walk.ts";
import { blockExpressions } from "../plan/collect-references.ts";
import type { PlannedBlock } from "../plan/plan.ts";
import type { RunNode } from "./run-node.ts";
import { WorkflowScope } from "./scope.ts";

/**
 * The first path a block reads that gives another value than it did in the run before. What is about the run itself always does, so
 * it is not compared, and neither are secrets, which are only references here.
 */
export function findChangedRead(node: RunNode, runId: string, before: RunNode, runBefore: string): string | undefined {
  if (node.block === undefined) return undefined;
  const now = WorkflowScope.ofBlock(node, runId);
  const then = WorkflowScope.ofBlock(before, runBefore);
  const changed = pathsOf(node.block).find((path) => {
    const [value, valueThen] = [evaluate(path, now), evaluate(path, then)];
    return !(value.ok && valueThen.ok ? isSameValue(value.value, valueThen.value) : value.ok === valueThen.ok);
  });
  if (changed === undefined) return undefined;
  return writePath(changed.root, staticPath(changed).keys);
}

const notCompared: ReadonlySet<Root> = new Set(["metadata", "secrets", "this"]);

const known = new WeakMap<PlannedBlock, readonly PathNode[]>();

/** What a loop runs over is compared element by element, by who finds the pass that is the same. */
function pathsOf(block: PlannedBlock): readonly PathNode[] {
  const before = known.get(block);
  if (before !== undefined) return before;
  const paths: PathNode[] = [];
  const visit = (node: Expression): void => {
    if (node.kind === "path" && !notCompared.has(node.root)) paths.push(node);
    for (const child of childrenOf(node)) visit(child);
  };
  for (const { expression, where } of blockExpressions(block.definition)) {
    if (where !== "for_each" && !where.startsWith("repeat.")) visit(expression);
  }
  known.set(block, paths);
  return paths;
}
