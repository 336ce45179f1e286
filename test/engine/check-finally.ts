import { concludeWorkflow } from "../../src/engine/conclude.ts";
import type {
  AttemptEnded,
  BlockFinished,
  BlockSkipped,
  FinallyStarted,
  RunFinished,
} from "../../src/engine/events.ts";
import { type Ending, endingOf } from "../../src/engine/execution.ts";
import { isLoop, isUnderFinally, type RunNode, type WorkflowInside } from "../../src/engine/run-node.ts";
import { WorkflowScope } from "../../src/engine/scope.ts";
import type { EarlyEndings } from "./early-endings.ts";
import { must } from "./invariants.ts";

/** How a workflow stood when its `finally` began. */
interface Before {
  readonly ending: Ending;
  readonly outputs: string;
}

/**
 * What must hold of `finally` at any depth: it begins when everything else in its workflow has ended, all of it ends before the
 * workflow does, only what reaches it ends it early, and it changes nothing of the result but a success into a failure.
 */
export class FinallyHistory {
  readonly #endings: EarlyEndings;
  readonly #runId: string;
  readonly #begun = new Map<string, Before>();
  /** Blocks under `finally` that were ended before they began. */
  readonly #lost = new Set<RunNode>();

  constructor(runId: string, endings: EarlyEndings) {
    this.#runId = runId;
    this.#endings = endings;
  }

  begin(event: FinallyStarted, node: RunNode): void {
    const { path } = event;
    must(!this.#begun.has(path), `\`finally\` of '${path}' begins twice`);
    const inside = node.inside as WorkflowInside;
    must(inside.plan.mainBlocks < inside.plan.blocks.length, `'${path}' has no \`finally\``);
    for (const child of inside.children) {
      if (!isUnderFinally(child)) must(child.ended, `'${child.path}' has not ended when \`finally\` begins`);
    }
    const { ending, outputs } = concludeWorkflow(node, inside, WorkflowScope.inside(node, this.#runId));
    must(isSame(ending, event), `'${path}' has gone as its blocks have when \`finally\` begins`);
    const isStopped = event.status === "failed" && event.cause !== undefined;
    must(
      isStopped === this.#endings.endsBlocksOf(node),
      `'${path}' is ${isStopped ? "" : "not "}told to be ended early`,
    );
    this.#begun.set(path, { ending: endingOf(event), outputs: JSON.stringify(outputs) });
  }

  /** Something happens to a node. */
  happen(node: RunNode, what: string): void {
    if (node.parent === undefined || !isUnderFinally(node)) return;
    must(this.#begun.has(node.parent.path), `${what} '${node.path}' before \`finally\` has begun`);
  }

  skip({ reason }: BlockSkipped, node: RunNode): void {
    if (reason.kind === "cancelled") must(this.#endings.reach(node), `nothing ends '${node.path}', and it is skipped`);
    if (node.parent === undefined || !isUnderFinally(node)) return;
    if (reason.kind === "cancelled") this.#lost.add(node);
    const { mainBlocks } = (node.parent.inside as WorkflowInside).plan;
    const edges = node.block?.edges ?? [];
    must(
      reason.kind !== "dependency" || edges.length > 0,
      `'${node.path}' depends on nothing, and it is skipped for that`,
    );
    must(
      edges.every(({ on }) => on >= mainBlocks),
      `'${node.path}' waits for blocks of \`finally\` only`,
    );
  }

  /** Of a workflow, or of an attempt at one. */
  end(event: BlockFinished | AttemptEnded | RunFinished, node: RunNode): void {
    const { inside, path, stage } = node;
    // What is given up between two attempts has ended before.
    const isBetween = stage.kind === "sleeping" || stage.kind === "woken";
    if (inside.kind !== "workflow" || isBetween || inside.plan.mainBlocks === inside.plan.blocks.length) return;
    const before = this.#begun.get(path);
    must(before !== undefined, `'${path}' ends without its \`finally\``);
    const last = inside.children.filter(isUnderFinally);
    for (const child of last) must(child.ended, `'${child.path}' has not ended when its workflow ends`);
    must(JSON.stringify(event.outputs) === before.outputs, `the outputs of '${path}' change by \`finally\``);
    if (before.ending.outcome !== "success") {
      return must(isSame(before.ending, event), `'${path}' changes by \`finally\` from '${before.ending.message}'`);
    }
    const failing = last.find((child) => this.#counts(child));
    const mayFail = last.some(({ record }) => record.metadata.failed);
    if (failing !== undefined)
      must(event.outcome !== "success", `'${path}' succeeds although '${failing.path}' has not`);
    else must(event.outcome === "success" || mayFail, `'${path}' fails although nothing in it has`);
    const isTold = event.outcome === "success" || event.message?.startsWith("finally: ") === true;
    must(isTold, `'${path}' fails by \`finally\` and says: ${event.message}`);
  }

  forget(path: string): void {
    for (const other of this.#begun.keys()) if (`${other}/`.startsWith(`${path}/`)) this.#begun.delete(other);
  }

  /** Whether a block under `finally` makes a success a failure for certain: of what it holds more would have to be known. */
  #counts(node: RunNode): boolean {
    if (this.#lost.has(node)) return true;
    const { failed, status } = node.record.metadata;
    const isOwn = node.inside.kind === "leaf" && !isLoop(node);
    return failed && (node.block?.definition.allowFailure !== true || (isOwn && status === "failed"));
  }
}

function isSame(one: Ending, other: Ending): boolean {
  return JSON.stringify(endingOf(one)) === JSON.stringify(endingOf(other));
}
