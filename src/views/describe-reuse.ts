import { childNodes, hasBegun, type RunNode } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";

/** Of a run that repeats another: what it took over from that, and why the rest ran. */
export interface ReuseData {
  readonly rerun_of?: string;
  /** Addresses; of what was taken over whole, only its own. Of a loop, how many elements. */
  readonly reused?: readonly string[];
  /** By address. */
  readonly not_reused?: Readonly<Record<string, string>>;
}

/** Beyond these the first ones tell what the rest would. */
const mostReasons = 30;

export function describeReuse({ started, root }: RunState): ReuseData {
  const { rerunOf, reuse } = started;
  if (rerunOf === undefined) return {};
  if (reuse === undefined) return { rerun_of: rerunOf };
  const reused: string[] = [];
  const reasons = new Map<string, string>();
  const visit = (node: RunNode): void => {
    const { metadata } = node.record;
    if (metadata.reused === true && node.parent !== undefined) return void reused.push(node.path);
    if (typeof metadata.not_reused === "string") reasons.set(node.path, metadata.not_reused);
    if (node.inside.kind !== "loop") return childNodes(node).forEach(visit);
    const taken = node.inside.passes.filter(({ record }) => record.metadata.reused === true);
    if (taken.length > 0) reused.push(`${node.path} (${taken.length} of ${node.inside.passes.length} elements)`);
    for (const pass of node.inside.passes) if (!taken.includes(pass)) visit(pass);
  };
  visit(root);
  const told = [...reasons].slice(0, mostReasons);
  const more = reasons.size - told.length;
  return {
    rerun_of: rerunOf,
    reused,
    not_reused: Object.fromEntries(more > 0 ? [...told, ["...", `and ${more} more`]] : told),
  };
}

/** Whether a run that repeats another has ended, and nothing in it had to run. */
export function isNothingRun({ started, finished, nodes }: RunState): boolean {
  if (started.reuse === undefined || finished === undefined) return false;
  return [...nodes.values()].every((node) => {
    const { reused, skipped } = node.record.metadata;
    return node.parent === undefined || reused === true || skipped || !hasBegun(node);
  });
}
