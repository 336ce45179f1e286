import type { RunEvent } from "../engine/events.ts";
import { childNodes, isUnderFinally, isWithin, type RunNode } from "../engine/run-node.ts";
import { nodeAt, type RunState } from "../engine/state.ts";

/**
 * The events of a run that a new one can begin with: everything that ended by itself and is not downstream of `from`. At every
 * level from the top down to that block, what depends on it there has to run again, and what surrounds it is entered anew. Yields
 * after every event.
 */
export function* reusableEvents(
  state: RunState,
  events: readonly RunEvent[],
  from: RunNode,
  /** When the new run begins. */
  at: string,
): Generator<void, RunEvent[]> {
  const dropped = new Set<RunNode>();
  const entered = new Set<RunNode>();
  const again = new Map<RunNode, PassesAgain>();
  for (let node = from; node.parent !== undefined; node = node.parent) {
    if (node !== from) entered.add(node);
    dropDownstream(node, dropped);
    dropFinally(node.parent, dropped);
    const { element } = node;
    if (element) again.set(node.parent, { from: element.index, "block-sleeping": 0, "block-woken": 0 });
  }
  dropWithin(from, dropped);
  /** Surroundings that ran out of time: what ended in them after that was ended by it. */
  const timedOut: RunNode[] = [];
  const kept: RunEvent[] = [];
  const endings = new Map<RunNode, number>();
  for (const event of fromTheirFirstAttempt(withoutEarlierAttempts(events), state, entered, at)) {
    yield;
    // What ended after this was ended by it.
    if (event.type === "run-cancelling") break;
    const node = "path" in event ? nodeAt(state, event.path) : undefined;
    if (node === undefined || dropped.has(node) || timedOut.some((around) => isWithin(node, around))) continue;
    const isAround = node.parent === undefined || entered.has(node);
    // What runs again ends anew, and `finally` begins then.
    if (event.type === "finally-started" && isAround) continue;
    if (event.type === "block-cancelling" && isAround) {
      timedOut.push(node);
      continue;
    }
    if (isOfLaterPass(event, again.get(node))) continue;
    const isEnding = event.type === "block-finished" || event.type === "block-skipped";
    if (isEnding && (entered.has(node) || isStoppedPass(event))) continue;
    if (isEnding) endings.set(node, kept.length);
    kept.push(event);
  }
  return kept.filter((event) => {
    const node = "path" in event ? nodeAt(state, event.path) : undefined;
    // A block that had not ended is to run from its beginning; what holds blocks goes on with those that have.
    return node !== undefined && (endings.has(node) || node.inside.kind !== "leaf");
  });
}

/** Of a loop whose passes follow one another: which one runs again, and how many events were kept that each added or woke one. */
interface PassesAgain {
  readonly from: number;
  "block-sleeping": number;
  "block-woken": number;
}

/** Whether an event of a repeated block is about a pass after the one that runs again: such passes have to be added anew. */
function isOfLaterPass({ type }: RunEvent, passes: PassesAgain | undefined): boolean {
  if (passes === undefined || (type !== "block-sleeping" && type !== "block-woken")) return false;
  return passes[type]++ >= passes.from;
}

/** What an attempt held that was not the last says nothing of what the last one holds. */
function withoutEarlierAttempts(events: readonly RunEvent[]): RunEvent[] {
  const kept: RunEvent[] = [];
  /** Paths of attempts whose beginning lies before the event that is looked at. */
  const over = new Set<string>();
  for (const event of events.toReversed()) {
    if ("path" in event) {
      if (isInsideAny(event.path, over) || (event.type === "block-cancelling" && over.has(event.path))) continue;
      if (event.type === "attempt-ended") over.add(event.path);
      else if (event.type === "block-started") over.delete(event.path);
    }
    kept.push(event);
  }
  return kept.reverse();
}

/** What is entered anew has all its attempts before it: its latest one becomes the first, and begins with the new run. */
function* fromTheirFirstAttempt(
  events: readonly RunEvent[],
  state: RunState,
  entered: ReadonlySet<RunNode>,
  at: string,
): Generator<RunEvent> {
  const asleep = new Set<RunNode>();
  for (const event of events) {
    const node = "path" in event ? nodeAt(state, event.path) : undefined;
    if (node === undefined || !entered.has(node)) yield event;
    else if (event.type === "attempt-ended") asleep.add(node);
    else if (event.type === "block-woken" && asleep.delete(node)) continue;
    else if (event.type !== "block-started") yield event;
    else if (event.attempt === node.record.metadata.attempts) yield { ...event, at, attempt: 1 };
  }
}

function isInsideAny(path: string, ancestors: ReadonlySet<string>): boolean {
  if (ancestors.size === 0) return false;
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (ancestors.has(path.slice(0, end))) return true;
  }
  return false;
}

/** Everything beside a node that waits for it, directly or through others. */
function dropDownstream(node: RunNode, dropped: Set<RunNode>): void {
  const { parent } = node;
  if (parent?.inside.kind === "loop" && parent.block?.definition.forEach?.mode !== "parallel") {
    for (const later of parent.inside.passes.slice((node.element?.index ?? 0) + 1)) dropWithin(later, dropped);
  }
  if (parent?.inside.kind !== "workflow" || node.block === undefined) return;
  const open = [...node.block.dependents];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const dependent = parent.inside.children[index];
    if (dependent === undefined || dropped.has(dependent)) continue;
    dropWithin(dependent, dropped);
    open.push(...(dependent.block?.dependents ?? []));
  }
}

function dropFinally({ inside }: RunNode, dropped: Set<RunNode>): void {
  if (inside.kind !== "workflow") return;
  for (const child of inside.children) if (isUnderFinally(child)) dropWithin(child, dropped);
}

function dropWithin(node: RunNode, dropped: Set<RunNode>): void {
  dropped.add(node);
  for (const child of childNodes(node)) dropWithin(child, dropped);
}

/** A pass that was not run because an earlier one failed may run now. */
function isStoppedPass(event: RunEvent): boolean {
  return event.type === "block-skipped" && event.reason.kind === "loop-stopped";
}
