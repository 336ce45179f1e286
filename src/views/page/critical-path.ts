import type { RunNode } from "../../engine/run-node.ts";

/**
 * The chain of blocks that decided when a level came as far as it has: from what ended last, or of what goes on began last, back over
 * whatever each had to wait for longest. By the index of a block the index of the one before it.
 */
export function criticalEdges(children: readonly RunNode[]): ReadonlyMap<number, number> {
  const chain = new Map<number, number>();
  for (let at = latest(children); at !== undefined; ) {
    const before = lastDependency(at, children);
    if (before === undefined) break;
    chain.set(at.block?.index ?? -1, before.block?.index ?? -1);
    at = before;
  }
  return chain;
}

function latest(children: readonly RunNode[]): RunNode | undefined {
  let [running, ended]: (RunNode | undefined)[] = [];
  for (const node of children) {
    const { metadata } = node.record;
    if (metadata.status === "pending" || metadata.skipped) continue;
    if (node.ended) {
      if (ended === undefined || endOf(node) > endOf(ended)) ended = node;
    } else if (running === undefined || (metadata.started_at ?? "") > (running.record.metadata.started_at ?? ""))
      running = node;
  }
  return running ?? ended;
}

function lastDependency({ block }: RunNode, children: readonly RunNode[]): RunNode | undefined {
  let last: RunNode | undefined;
  for (const { on } of block?.edges ?? []) {
    const dependency = children[on] as RunNode;
    if (!dependency.ended || dependency.record.metadata.skipped) continue;
    if (last === undefined || endOf(dependency) > endOf(last)) last = dependency;
  }
  return last;
}

/** ISO 8601 sorts as time does. What was reused ended in another run, before this one. */
function endOf({ record }: RunNode): string {
  return record.metadata.completed_at ?? "";
}
