import { blockFingerprint } from "../definition/block-fingerprint.ts";
import type { BlockReused } from "./events.ts";
import type { Ending } from "./execution.ts";
import { dependenciesOf } from "./judge.ts";
import { PassMatches } from "./match-passes.ts";
import { findChangedRead } from "./reads.ts";
import { isReusable, isSameEnd, isSameStart, isTriedAgain, resultOf, whyElsewhere } from "./results.ts";
import { wasCutShort } from "./retry.ts";
import { childNodes, hasActed, isUnderFinally, isWithin, type RunNode, type WorkflowInside } from "./run-node.ts";
import type { RunState } from "./state.ts";

/** What a block that is not run again ends with. */
export type ReusedResult = Omit<BlockReused, keyof Ending | "type" | "at" | "path" | "becauseOf"> & Ending;

export type ReuseDecision =
  | { readonly kind: "reuse"; readonly result: ReusedResult }
  /** A whole sentence, for people. */
  | { readonly kind: "run"; readonly why: string };

/**
 * Tells of each block that is about to run whether a run before has its result already: it ended well there, says the same, and
 * everything that it reads or depends on is the same too. What holds blocks is always entered, so this holds at any depth. It looks
 * at the states of the two runs and at nothing else, so a process that takes a run over decides the same.
 */
export class Reuse {
  readonly #before: RunState;
  readonly #now: RunState;
  readonly #staleFiles: ReadonlySet<RunNode>;
  readonly #undone: ReadonlySet<RunNode>;
  readonly #passes = new PassMatches();
  readonly #unchanged = new Map<RunNode, boolean>();
  readonly #isSameStart: boolean;

  /** Of the run before: blocks whose files are not as that run left them, and blocks whose work was undone. */
  constructor(before: RunState, now: RunState, staleFiles: ReadonlySet<RunNode>, undone: ReadonlySet<RunNode>) {
    this.#before = before;
    this.#now = now;
    this.#staleFiles = staleFiles;
    this.#undone = undone;
    this.#isSameStart = isSameStart(before, now);
  }

  /** Of a block that does something itself, once all that it waits for has ended. */
  decide(node: RunNode): ReuseDecision {
    const before = this.#counterpart(node);
    if (before === undefined) return { kind: "run", why: node.element ? "The element is new." : "It is new." };
    const why = this.#reasonToRun(node, before);
    return why === undefined ? { kind: "reuse", result: resultOf(before, this.#before) } : { kind: "run", why };
  }

  #reasonToRun(node: RunNode, before: RunNode): string | undefined {
    if (this.#isFrom(node)) return "The rerun begins with it.";
    if (isTriedAgain(node)) return "A block around it is tried again.";
    if (!isReusable(node, before.record.inputs)) return "It runs in every rerun.";
    const unusable = this.#whyUnusable(node, before);
    if (unusable !== undefined) return unusable;
    if (!isSaidTheSame(node, before)) return "Its definition has changed.";
    const changed = this.#whyInFinally(node) ?? this.#changedAround(node) ?? whyElsewhere(node, before);
    if (changed !== undefined) return changed;
    const read = findChangedRead(node, this.#now.started.runId, before, this.#before.started.runId);
    if (read !== undefined) return `${read} has changed.`;
    if (this.#undone.has(before)) return "What it did was undone.";
    if (this.#staleFiles.has(before)) return "A file that it read or wrote has changed.";
    if (before.askedPerson && !this.#isSameStart) return "A person answered it for another text or other inputs.";
    return undefined;
  }

  /** The same block of the run before. Elements of a loop are the same by their value, wherever they stand in the list. */
  #counterpart(node: RunNode): RunNode | undefined {
    if (node.parent === undefined) return this.#before.root;
    const parent = this.#counterpart(node.parent);
    if (parent === undefined) return undefined;
    if (node.element !== undefined) return this.#passes.find(node, parent);
    const { inside } = parent;
    return inside.kind === "workflow" ? inside.children[inside.plan.indexOf.get(node.key) ?? -1] : undefined;
  }

  #isFrom(node: RunNode): boolean {
    const { from } = this.#now.started.reuse ?? {};
    const at = from === undefined ? undefined : this.#now.nodes.get(from);
    return at !== undefined && (isWithin(node, at) || isPassAfter(node, at));
  }

  #holdsFrom(node: RunNode): boolean {
    const { from } = this.#now.started.reuse ?? {};
    const at = from === undefined ? undefined : this.#now.nodes.get(from);
    return at !== undefined && isWithin(at, node);
  }

  /** Why the block has no result that counts. A failure is one where it was allowed, or others stood in for it. */
  #whyUnusable(node: RunNode, before: RunNode): string | undefined {
    const { metadata } = before.record;
    if (!before.ended) return "It had not ended before.";
    if (metadata.skipped) return "It was skipped before.";
    if (!metadata.failed) return undefined;
    if (before.cause === "cancelled" || before.cause === "interrupted") return `It was ${before.cause} before.`;
    const answered = isAnswered(node, before, this.#before.started.runId);
    if (answered === undefined) return before.cause === "timeout" ? "It timed out before." : "It failed before.";
    return answered ? undefined : "It failed, and what stood in for it has changed.";
  }

  /** `finally` cleans up after what ran: where nothing did, there is nothing to clean up. */
  #whyInFinally(node: RunNode): string | undefined {
    for (let at = node; at.parent !== undefined; at = at.parent) {
      if (!isUnderFinally(at)) continue;
      const { children, plan } = at.parent.inside as WorkflowInside;
      const ran = children.slice(0, plan.mainBlocks).find(hasActed);
      if (ran !== undefined) return `It is under \`finally\`, and '${ran.key}' is not reused.`;
    }
    return undefined;
  }

  /** Something that it, or what it is in, depends on. */
  #changedAround(node: RunNode): string | undefined {
    for (let at = node; at.parent !== undefined; at = at.parent) {
      const { parent, element } = at;
      if (element !== undefined && parent.block?.definition.repeat !== undefined && parent.inside.kind === "loop") {
        const previous = parent.inside.passes[element.index - 1];
        if (previous !== undefined && !this.#isUnchanged(previous)) return "The pass before it is not reused.";
      }
      for (const { dependency } of dependenciesOf(at)) {
        if (this.#isUnchanged(dependency)) continue;
        const who = at.block === node.block ? "It" : `'${at.path}'`;
        const { skipped } = dependency.record.metadata;
        const how = skipped
          ? "which is skipped"
          : hasActed(dependency)
            ? "which is not reused"
            : "whose result differs";
        return `${who} depends on '${dependency.key}', ${how}.`;
      }
    }
    return undefined;
  }

  /** Whether what depends on a block that has ended finds it as it was in the run before. */
  #isUnchanged(node: RunNode): boolean {
    const known = this.#unchanged.get(node);
    if (known !== undefined) return known;
    const unchanged = this.#compareEnds(node);
    this.#unchanged.set(node, unchanged);
    return unchanged;
  }

  #compareEnds(node: RunNode): boolean {
    const before = this.#counterpart(node);
    if (before === undefined || this.#isFrom(node) || this.#holdsFrom(node)) return false;
    const isTaken = node.origin !== undefined || node.record.metadata.skipped || !isReusable(node, node.record.inputs);
    const { inside } = node;
    if (!isTaken && inside.kind === "leaf") return false;
    const inner = inside.kind === "workflow" ? inside.children.slice(0, inside.plan.mainBlocks) : childNodes(node);
    if (!isTaken && !inner.every((child) => this.#isUnchanged(child))) return false;
    return isSameEnd(node, before);
  }
}

/** Whether it is in a later pass of a loop whose passes follow one another. */
function isPassAfter(node: RunNode, from: RunNode): boolean {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const { parent, element } = at;
    if (element === undefined || parent.block?.definition.forEach?.mode === "parallel" || !isWithin(from, parent))
      continue;
    for (let pass = from; pass.parent !== undefined; pass = pass.parent) {
      if (pass.parent === parent) return (pass.element?.index ?? 0) < element.index;
    }
  }
  return false;
}

function isSaidTheSame({ block }: RunNode, before: RunNode): boolean {
  if (block === undefined || before.block === undefined) return false;
  return blockFingerprint(block.definition) === blockFingerprint(before.block.definition);
}

/** Whether the failure of a block, or of something around it, was answered, and would be by the same blocks again. */
function isAnswered(node: RunNode, before: RunNode, runBefore: string): boolean | undefined {
  for (let at = before, now = node; at.parent !== undefined && now.parent !== undefined; ) {
    if (wasCutShort(at, runBefore)) return undefined;
    const [then, here] = [at.parent.inside, now.parent.inside];
    const failures = then.kind === "workflow" ? (then.remarks?.handledFailures ?? []) : [];
    const failure = failures.find(({ block }) => block === at.path);
    if (failure !== undefined && then.kind === "workflow" && here.kind === "workflow") {
      return failure.by.every((key) => isSameBlock(key, then, here)) && isSameBlock(at.key, then, here);
    }
    at = at.parent;
    now = now.parent;
  }
  return undefined;
}

function isSameBlock(key: string, one: WorkflowInside, other: WorkflowInside): boolean {
  const [first, second] = [one, other].map(({ plan }) => plan.blocks[plan.indexOf.get(key) ?? -1]?.definition);
  if (first === undefined || second === undefined) return false;
  return blockFingerprint(first) === blockFingerprint(second);
}
