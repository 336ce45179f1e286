import { Queue } from "../util/queue.ts";
import { chooseStep, type Desk } from "./choose-step.ts";
import { ConcurrencyLimits } from "./concurrency-limits.ts";
import { consumeEvent, type EventTable, ignoreEvent, type RunEvent } from "./events.ts";
import type { LoopProgress } from "./loop-progress.ts";
import { nodeAt } from "./node-at.ts";
import { ParkedBlocks } from "./parked-blocks.ts";
import {
  cancelReason,
  childNodes,
  hasBegun,
  isBetween,
  isRepeating,
  isUnderFinally,
  isWithin,
  type LoopInside,
  mayStartIn,
  type RunNode,
  type WorkflowInside,
} from "./run-node.ts";
import { isInStoppedLoop, isOutOfBudget } from "./skip-reasons.ts";
import type { RunState } from "./state.ts";
import type { Step } from "./step.ts";
import { Tokens } from "./tokens.ts";

/**
 * Decides what happens next, and does nothing: no clock, no I/O, no promise. It looks only at the state and at the events it is
 * shown, so it can be tested with any order of completions. A block becomes ready the moment the last block it waits for ends;
 * waves play no part. It begins with any state of a run: what is in its queues follows from the state alone.
 *
 * Invariant: every node that is queued here, held by the runner or running as a leaf holds one token, which counts at the node
 * and at everything around it. A node without tokens is quiet: nothing in it can happen by itself any more, because it has ended
 * or waits for answers. A leaf holds a slot from the moment its step is handed out until it ends, pauses or is set aside.
 */
export class Scheduler {
  readonly #state: RunState;
  readonly #ready = new Queue<RunNode>();
  readonly #finishing = new Queue<RunNode>();
  readonly #slots = new ConcurrencyLimits((node) => this.#ready.push(node));
  readonly #loops = new Map<RunNode, LoopProgress>();
  readonly #tokens = new Tokens();
  /** Judged and found fit to run. */
  readonly #approved = new Set<RunNode>();
  readonly #withdrawn = new Set<RunNode>();
  readonly #parked = new ParkedBlocks();
  readonly #desk: Desk = {
    isApproved: (node) => this.#approved.has(node),
    takeSlot: (node) => this.#slots.take(node),
    takeBack: (node) => void this.#withdrawn.delete(node),
  };

  constructor(state: RunState) {
    this.#state = state;
    this.#slots.limit(state.root, state.started.maxParallel);
    if (state.root.ended) return;
    this.#hold(state.root);
    const standing: RunNode[] = [];
    this.#enter(state.root, standing);
    // Slots of loops belong to what was going on first.
    for (const node of standing) {
      if (node.stage.kind === "asking" || node.stage.kind === "sleeping") this.#withdrawIfPointless(node);
      else this.#comeBack(node);
    }
    this.#release(state.root);
  }

  /** Whether nothing in the node is queued or runs. */
  isQuiet(node: RunNode): boolean {
    return !this.#tokens.has(node);
  }

  next(): Step | undefined {
    for (;;) {
      const done = this.#finishing.shift();
      if (done !== undefined) return { kind: "conclude", node: done };
      const node = this.#ready.shift();
      if (node === undefined) return undefined;
      if (isRepeating(node)) this.#nextPass(node);
      else return chooseStep(node, this.#desk);
    }
  }

  /** The condition of a considered node lets it run. */
  approve(node: RunNode): void {
    this.#approved.add(node);
    this.#ready.push(node);
  }

  /** Gives a step's node back unanswered, and its slot to others, until `retry`. */
  setAside(node: RunNode): void {
    this.#slots.release(node);
  }

  retry(node: RunNode): void {
    this.#ready.push(node);
  }

  /** The same, until the budget of `scope` has room for it: nothing about it can happen by itself before. */
  park(node: RunNode, scope: RunNode): void {
    this.#parked.park(node, scope);
    this.#slots.release(node);
    this.#release(node);
  }

  /** The block that has waited longest for the budget of `scope`. */
  firstParked(scope: RunNode): RunNode | undefined {
    return this.#parked.first(scope);
  }

  /** To be called with every event after it has been applied to the state. */
  observe(event: RunEvent): void {
    consumeEvent(this.#reactions, event);
  }

  readonly #reactions: EventTable<[], void> = {
    "block-started": ({ path, inside }) => {
      const node = nodeAt(this.#state, path);
      if (inside.kind === "leaf") return this.#fitted(node);
      this.#enter(node, []);
      this.#release(node);
    },
    "block-interrupted": ({ path, action }) => {
      // Nothing holds it outside any more, so it queues for a slot like one that has not begun.
      const node = nodeAt(this.#state, path);
      if (action === "rerun") this.#ready.push(node);
      this.#callParked(node);
    },
    "attempt-ended": ({ path }) => {
      const node = nodeAt(this.#state, path);
      this.#slots.forget(node);
      this.#loops.delete(node);
      this.#standStill(node);
    },
    "block-finished": ({ path }) => this.#ended(path),
    "block-skipped": ({ path }) => this.#ended(path),
    "block-reused": ({ path }) => this.#ended(path),
    "block-paused": ({ path, about }) => {
      const node = nodeAt(this.#state, path);
      // One that waits for a budget stands still already.
      if (about === "budget") this.#parked.leave(node);
      else this.#standStill(node);
    },
    "block-sleeping": ({ path }) => this.#standStill(nodeAt(this.#state, path)),
    "question-answered": ({ path }) => this.#goOn(nodeAt(this.#state, path)),
    "block-woken": ({ path }) => this.#goOn(nodeAt(this.#state, path)),
    "finally-started": ({ path }) => {
      const node = nodeAt(this.#state, path);
      for (const child of childNodes(node)) if (isUnderFinally(child)) this.#enqueueIfReady(child);
      this.#release(node);
    },
    "block-resumed": ({ path }) => this.#fitted(nodeAt(this.#state, path)),
    "budget-raised": ({ path }) => this.#callParked(nodeAt(this.#state, path)),
    "budget-exceeded": ({ path, action }) =>
      action === "pause" ? undefined : this.#endEarly(nodeAt(this.#state, path)),
    "workflow-stopping": ({ path, rollback }) => (rollback ? this.#endEarly(nodeAt(this.#state, path)) : undefined),
    "block-cancelling": ({ path }) => this.#endEarly(nodeAt(this.#state, path)),
    "run-cancelling": () => this.#endEarly(this.#state.root),
    "run-finished": () => this.#release(this.#state.root),
    "run-started": ignoreEvent,
    "workspace-made": ignoreEvent,
    "process-started": ignoreEvent,
    "file-changed": ignoreEvent,
    "observation-started": ignoreEvent,
    "changes-observed": ignoreEvent,
    "rollback-started": ignoreEvent,
    "rollback-finished": ignoreEvent,
    "run-paused": ignoreEvent,
    "run-sleeping": ignoreEvent,
    "run-resumed": ignoreEvent,
  };

  #ended(path: string): void {
    const node = nodeAt(this.#state, path);
    this.#slots.release(node);
    this.#approved.delete(node);
    this.#slots.forget(node);
    this.#loops.delete(node);
    this.#parked.leave(node);
    this.#callParked(node);
    this.#afterEnd(node);
    this.#release(node);
  }

  /** A leaf has started, so the next one may find room as well. */
  #fitted(node: RunNode): void {
    if (this.#parked.leave(node)) this.#callParked(node);
  }

  #callParked(node: RunNode): void {
    for (const parked of this.#parked.callAround(node)) this.#comeBack(parked);
  }

  /** Of a repeated block whose time has come, or which is being ended: then the pass is skipped, and it stays withdrawn. */
  #nextPass(node: RunNode): void {
    if (node.stage.kind === "woken") this.#withdrawn.delete(node);
    if (this.#loops.has(node)) this.#fillLoop(node);
    else this.#enter(node, []);
    this.#release(node);
  }

  /** A block whose dependencies have ended. */
  #enqueueIfReady(node: RunNode): void {
    const { waiting } = node.workflow.inside as WorkflowInside;
    if (waiting[node.block?.index ?? 0] === 0) this.#enqueue(node);
  }

  #enqueue(node: RunNode): void {
    this.#hold(node);
    this.#ready.push(node);
  }

  /** Takes in what a node holds: one that has just started, or one that began before this scheduler did. */
  #enter(node: RunNode, standing: RunNode[]): void {
    const { inside } = node;
    if (inside.kind === "workflow") {
      const limit = inside.plan.definition.maxParallel;
      if (limit !== undefined) this.#slots.limit(node, limit);
      for (const child of inside.children) {
        if (hasBegun(child)) this.#takeUp(child, standing);
        else if (inside.closing !== undefined || !isUnderFinally(child)) this.#enqueueIfReady(child);
      }
    } else if (inside.kind === "loop") {
      this.#loops.set(node, { started: 0, active: 0, returning: new Map(), isStopping: inside.stopped });
      for (const pass of inside.passes) if (hasBegun(pass)) this.#takeUp(pass, standing);
      this.#fillLoop(node);
    }
    this.#concludeIfDone(node);
  }

  /** What neither runs nor waits for a slot only comes back once all the others have theirs, so it is put down in `standing`. */
  #takeUp(node: RunNode, standing: RunNode[]): void {
    if (node.ended) return;
    if (node.inside.kind !== "leaf" && !isBetween(node)) return this.#enter(node, standing);
    switch (node.stage.kind) {
      case "asking":
      case "sleeping":
      case "woken":
      case "answered":
      case "decided":
        standing.push(node);
        return;
      default:
        return this.#enqueue(node);
    }
  }

  #afterEnd(node: RunNode): void {
    const { parent } = node;
    if (parent === undefined) return;
    if (parent.inside.kind === "workflow" && node.block !== undefined) {
      const { children } = parent.inside;
      for (const dependent of node.block.dependents) this.#enqueueIfReady(children[dependent] as RunNode);
    } else if (parent.inside.kind === "loop" && parent.inside.stopped) this.#stopLoop(parent);
    this.#concludeIfDone(parent);
  }

  #concludeIfDone(node: RunNode): void {
    const { inside } = node;
    const done =
      (inside.kind === "workflow" && inside.open === 0) ||
      (inside.kind === "loop" && inside.endedPasses === inside.elements.length);
    if (!done) return;
    this.#hold(node);
    this.#finishing.push(node);
  }

  /** Gives the free slots of a loop to answered passes that wait to go on, then to passes that have not begun. */
  #fillLoop(node: RunNode): void {
    const progress = this.#loops.get(node);
    if (progress === undefined) return;
    const isSequential = node.block?.definition.forEach?.mode !== "parallel";
    const inside = node.inside as LoopInside;
    for (const [pass, returning] of progress.returning) {
      if (this.#isFull(node)) break;
      progress.returning.delete(pass);
      this.#letReturn(node, returning);
    }
    const isEnding = inside.stopped || cancelReason(node) !== undefined;
    const mayBegin = (): boolean => {
      if (isEnding) return true;
      // Between two passes it is looked at again when its time has come, or when nobody is to wait for that any more.
      if (node.stage.kind === "sleeping") return this.#withdrawn.has(node);
      return isSequential ? inside.endedPasses === progress.started : !this.#isFull(node);
    };
    for (; progress.started < inside.passes.length; progress.started++) {
      const pass = inside.passes[progress.started] as RunNode;
      if (hasBegun(pass)) continue;
      if (!mayBegin()) return;
      this.#enqueue(pass);
    }
  }

  #letReturn(loop: RunNode, returning: readonly RunNode[]): void {
    for (const node of returning) {
      this.#comeBack(node);
      this.#release(loop);
    }
  }

  /** It waits for something that somebody else does, or for a time. */
  #standStill(node: RunNode): void {
    this.#withdrawn.delete(node);
    this.#slots.release(node);
    this.#withdrawIfPointless(node);
    this.#callParked(node);
    this.#release(node);
  }

  /** What it waited for has come. */
  #goOn(node: RunNode): void {
    // One that is being withdrawn is on its way back already.
    if (!this.#withdrawn.has(node)) this.#comeBack(node);
  }

  /** A pass that was paused gave its slot in the loop away, so it may have to wait for another one. */
  #comeBack(node: RunNode): void {
    let kept: RunNode | undefined;
    for (let at: RunNode | undefined = node; at !== undefined; at = at.parent) {
      const loop = at.element === undefined ? undefined : at.parent;
      if (loop !== undefined && this.isQuiet(at) && this.#isFull(loop) && mayStartIn(at, node)) kept = at;
    }
    if (kept?.parent === undefined) return this.#enqueue(node);
    this.#hold(kept.parent);
    const returning = this.#loops.get(kept.parent)?.returning;
    returning?.set(kept, [...(returning.get(kept) ?? []), node]);
  }

  #isFull(loop: RunNode): boolean {
    const most = loop.block?.definition.forEach?.maxParallel ?? 1;
    return (this.#loops.get(loop)?.active ?? 0) >= most;
  }

  /** `on_error: stop`: unstarted elements are skipped, and questions of the others are withdrawn. */
  #stopLoop(node: RunNode): void {
    this.#fillLoop(node);
    const progress = this.#loops.get(node);
    if (progress === undefined || progress.isStopping) return;
    progress.isStopping = true;
    this.#withdrawBelow(node);
  }

  #endEarly(node: RunNode): void {
    this.#withdrawBelow(node);
    for (const parked of this.#parked.callWithin(node)) this.#comeBack(parked);
    this.#slots.wakeAll();
    const around = [...this.#loops].filter(([loop]) => isWithin(loop, node) || isWithin(node, loop));
    for (const [loop, { returning }] of around) {
      for (const [pass, nodes] of [...returning]) {
        if (nodes.some((back) => mayStartIn(pass, back))) continue;
        returning.delete(pass);
        this.#letReturn(loop, nodes);
      }
    }
    // One that still waits for its place ends once it has that: what is under `finally` around it needs the place too.
    const waiting = new Set([...this.#loops.values()].flatMap(({ returning }) => [...returning.values()].flat()));
    for (const [loop] of around) if (!waiting.has(loop)) this.#fillLoop(loop);
  }

  #withdrawBelow(node: RunNode): void {
    for (const waiting of [...this.#state.questions.values(), ...this.#state.sleeping]) {
      if (isWithin(waiting, node)) this.#withdrawIfPointless(waiting);
    }
  }

  #withdrawIfPointless(node: RunNode): void {
    const isPointless = cancelReason(node) !== undefined || isInStoppedLoop(node) || isOutOfBudget(node);
    if (!isPointless || this.#withdrawn.has(node)) return;
    this.#withdrawn.add(node);
    this.#comeBack(node);
  }

  #hold(node: RunNode): void {
    for (const at of this.#tokens.hold(node)) {
      const loop = this.#loopOf(at);
      if (loop !== undefined) loop.active++;
    }
  }

  #release(node: RunNode): void {
    this.#tokens.release(node, (at) => {
      const loop = this.#loopOf(at);
      if (loop === undefined) return;
      loop.active--;
      this.#fillLoop(at.parent as RunNode);
    });
  }

  /** The loop a pass belongs to. */
  #loopOf({ element, parent }: RunNode): LoopProgress | undefined {
    return element === undefined || parent === undefined ? undefined : this.#loops.get(parent);
  }
}
