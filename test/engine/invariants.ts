import type { Clock } from "../../src/block/ports.ts";
import { nodeAt } from "../../src/engine/node-at.ts";
import {
  cancelReason,
  isLoop,
  isUnderFinally,
  isWithin,
  type LoopInside,
  type RunNode,
  type WorkflowInside,
} from "../../src/engine/run-node.ts";
import { shortSleepMs } from "../../src/engine/sleepers.ts";
import type { RunState } from "../../src/engine/state.ts";

/** Faster than `expect`, which a simulation would call millions of times. */
export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`broken: ${what}`);
}

/**
 * What must hold whenever nothing happens by itself: what is said to run does, limits are kept, nobody waits for a place or a
 * process that is free, and the run is paused exactly when only answers are missing.
 */
export function checkMoment(state: RunState, running: readonly string[], processSlots: number, now: Date): void {
  const runningNodes = running.map((path) => nodeAt(state, path));
  const runningIn = (node: RunNode): number => runningNodes.filter((leaf) => isWithin(leaf, node)).length;
  const said = [...state.nodes.values()].filter(({ stage }) => stage.kind === "running").map(({ path }) => path);
  must(said.toSorted().join() === running.toSorted().join(), `'${said}' are said to run, and '${running}' do`);
  checkSleepers(state, running.length > 0, now);
  const waiting = [...state.nodes.values()].filter(couldGoOn);
  must(running.length > 0 || waiting.length === 0, `nothing runs, but '${waiting[0]?.path}' could`);
  const isLively = (pass: RunNode): boolean => runningIn(pass) > 0 || waiting.some((node) => isWithin(node, pass));
  const freeSlots = processSlots - runningNodes.filter(startsCommand).length;
  must(freeSlots >= 0, `there is room for ${processSlots} processes, and '${running}' run`);
  for (const node of state.nodes.values()) {
    const { inside } = node;
    const isKnown = inside.kind !== "workflow" || state.definitions.has(inside.plan.definition.name);
    must(isKnown, `the text of the workflow of '${node.path}' is kept`);
    const limit = limitOf(node, state);
    if (limit !== undefined) must(runningIn(node) <= limit, `more than ${limit} run in '${node.path}'`);
    if (inside.kind === "loop") {
      const busy = inside.passes.filter((pass) => runningIn(pass) > 0).length;
      must(busy <= loopLimit(node), `${busy} passes of '${node.path}' run`);
    }
  }
  for (const node of waiting) {
    if (startsCommand(node) && freeSlots === 0) continue;
    const isFull = around(node).some((at) => runningIn(at) >= (limitOf(at, state) ?? Number.POSITIVE_INFINITY));
    const inBusyLoop = !inStoppedLoop(node) && [node, ...around(node)].some((at) => isKeptByLoop(at, isLively));
    must(isFull || inBusyLoop, `'${node.path}' waits although there is room for it`);
  }
}

/** The run is given back exactly when nothing runs and nothing is woken soon; until then nobody oversleeps. */
function checkSleepers(state: RunState, isRunning: boolean, now: Date): void {
  const { nodes, sleeping, paused, questions, wakeAt } = state;
  const times: number[] = [];
  for (const node of nodes.values()) {
    const { stage, path } = node;
    must(sleeping.has(node) === (stage.kind === "sleeping"), `'${path}' is ${stage.kind}`);
    if (stage.kind === "sleeping" && !isGivenUp(node)) times.push(Date.parse(stage.until));
  }
  for (const node of sleeping) must(nodes.get(node.path) === node, "what sleeps is there");
  const leftMs = Math.min(...times) - now.getTime();
  const isHurried = [...state.closing].some(isFinallyLimited);
  if (paused) {
    must(!isHurried, "it is paused although somebody has to end what is under `finally`");
    must(!isRunning, "it is paused while something runs");
    must(questions.size > 0 || wakeAt !== undefined, "it waits for nothing");
    must(Date.parse(wakeAt ?? "") === times.sort()[0] || times.length === 0, `it is to be woken at ${wakeAt}`);
    return;
  }
  must(isRunning || isHurried || leftMs < shortSleepMs, "it is not paused, and nothing can happen soon");
  must(!(leftMs < 0), "nobody oversleeps");
  must(wakeAt === undefined, "it does not sleep as a whole");
}

/** After an early end there is always a limit. */
function isFinallyLimited(node: RunNode): boolean {
  const { plan } = node.inside as WorkflowInside;
  return plan.definition.finallyTimeout !== undefined || isEnding(node);
}

/** Until the first that sleeps is to be woken. */
export function msUntilWake({ sleeping }: RunState, clock: Clock): number {
  const times = [...sleeping]
    .filter((node) => !isGivenUp(node))
    .map(({ stage }) => (stage.kind === "sleeping" ? Date.parse(stage.until) : Number.NaN));
  return times.length === 0 ? 0 : Math.max(0, Math.min(...times) - clock.now().getTime());
}

export function limitOf(node: RunNode, state: RunState): number | undefined {
  if (node.inside.kind !== "workflow") return undefined;
  return node === state.root ? state.started.maxParallel : node.inside.plan.definition.maxParallel;
}

export function loopLimit({ block }: RunNode): number {
  const loop = block?.definition.forEach;
  if (block?.definition.repeat !== undefined) return 1;
  return loop?.mode === "sequential" ? 1 : (loop?.maxParallel ?? 0);
}

export function around(node: RunNode): RunNode[] {
  const nodes: RunNode[] = [];
  for (let at = node.parent; at !== undefined; at = at.parent) nodes.push(at);
  return nodes;
}

function startsCommand(node: RunNode): boolean {
  const { block } = node;
  if (block === undefined || isLoop(node)) return false;
  return block.definition.type.capabilities.includes("commands");
}

/** Nothing keeps it from going on but a lack of room. */
function couldGoOn(node: RunNode): boolean {
  const { stage, ended } = node;
  if (ended || stage.kind === "asking" || stage.kind === "running" || stage.kind === "sleeping") return false;
  // A repeated block goes on with its next pass.
  if (stage.kind === "woken" && stage.about === "repeat") return false;
  return stage.kind === "waiting" ? isReady(node) : true;
}

/** By what comes before it, and not begun. */
export function isReady(node: RunNode): boolean {
  const { parent, block, record, element } = node;
  if (parent === undefined || block === undefined || record.metadata.status !== "pending") return false;
  if (element === undefined) {
    const { waiting, closing } = parent.inside as WorkflowInside;
    return waiting[block.index] === 0 && (closing !== undefined || !isUnderFinally(node));
  }
  if (block.definition.forEach?.mode === "parallel" || parent.stage.kind === "sleeping") {
    return parent.stage.kind !== "sleeping";
  }
  return (parent.inside as LoopInside).passes.every(
    (pass) => pass.ended || (pass.element?.index ?? 0) >= element.index,
  );
}

/** Whether it is an element of a loop that lets no more of them begin. */
export function inStoppedLoop({ parent, element, record }: RunNode): boolean {
  if (element === undefined || record.metadata.status !== "pending") return false;
  return parent?.inside.kind === "loop" && parent.inside.stopped;
}

/** Whether a loop around the node lets no more of its elements begin; `finally` of one that has begun is none of its business. */
export function isBelowStoppedLoop(node: RunNode): boolean {
  for (let at = node; at.parent !== undefined && !isUnderFinally(at); at = at.parent) {
    if (at.parent.inside.kind === "loop" && at.parent.inside.stopped) return true;
  }
  return false;
}

/** Whether the pass waits because its loop lets no more of them go on. */
export function isKeptByLoop(pass: RunNode, isActive: (node: RunNode) => boolean): boolean {
  if (pass.element === undefined || pass.parent === undefined) return false;
  const { passes } = pass.parent.inside as LoopInside;
  return passes.filter((other) => other !== pass && isActive(other)).length >= loopLimit(pass.parent);
}

/** Whether nobody waits for it any more; before it ends it may have to wait for a place in its loop. */
function isGivenUp(node: RunNode): boolean {
  return isEnding(node) || isBelowStoppedLoop(node);
}

/** Whether something around the node, or the node itself, is being ended early. */
export function isEnding(node: RunNode): boolean {
  return cancelReason(node) !== undefined;
}
