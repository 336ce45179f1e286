import type {
  BlockInterrupted,
  BlockResumed,
  BlockStarted,
  QuestionAnswered,
  RunEvent,
} from "../../src/engine/events.ts";
import {
  cancelReason,
  isWithin,
  type LoopInside,
  type RunNode,
  type WorkflowInside,
} from "../../src/engine/run-node.ts";
import { nodeAt, type PlanSource, type RunState } from "../../src/engine/state.ts";
import { foldAnew, snapshot } from "./snapshot.ts";

/** Faster than `expect`, which a simulation would call millions of times. */
export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`broken: ${what}`);
}

/**
 * What must hold whenever nothing happens by itself: what is said to run does, limits are kept, nobody waits for a place or a
 * process that is free, and the run is paused exactly when only answers are missing.
 */
export function checkMoment(state: RunState, running: readonly string[], processSlots: number): void {
  const runningNodes = running.map((path) => nodeAt(state, path));
  const runningIn = (node: RunNode): number => runningNodes.filter((leaf) => isWithin(leaf, node)).length;
  const said = [...state.nodes.values()].filter(({ stage }) => stage.kind === "running").map(({ path }) => path);
  must(said.toSorted().join() === running.toSorted().join(), `'${said}' are said to run, and '${running}' do`);
  must(state.paused === (running.length === 0), `it is ${state.paused ? "" : "not "}paused while '${running}' run`);
  must(!state.paused || state.questions.size > 0, "it is paused and asks nothing");
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

export function limitOf(node: RunNode, state: RunState): number | undefined {
  if (node.inside.kind !== "workflow") return undefined;
  return node === state.root ? state.started.maxParallel : node.inside.plan.definition.maxParallel;
}

export function loopLimit({ block }: RunNode): number {
  const loop = block?.definition.forEach;
  return loop?.mode === "sequential" ? 1 : (loop?.maxParallel ?? 0);
}

export function around(node: RunNode): RunNode[] {
  const nodes: RunNode[] = [];
  for (let at = node.parent; at !== undefined; at = at.parent) nodes.push(at);
  return nodes;
}

function startsCommand({ block, element }: RunNode): boolean {
  if (block === undefined || (block.definition.forEach !== undefined && element === undefined)) return false;
  return block.definition.type.capabilities.includes("commands");
}

/** Nothing keeps it from going on but a lack of room. */
function couldGoOn(node: RunNode): boolean {
  const { stage, ended } = node;
  if (ended || stage.kind === "asking" || stage.kind === "running") return false;
  return stage.kind === "waiting" ? isReady(node) : true;
}

/** By what comes before it, and not begun. */
export function isReady(node: RunNode): boolean {
  const { parent, block, record, element } = node;
  if (parent === undefined || block === undefined || record.metadata.status !== "pending") return false;
  if (element === undefined) return (parent.inside as WorkflowInside).waiting[block.index] === 0;
  if (block.definition.forEach?.mode !== "sequential") return true;
  return (parent.inside as LoopInside).passes.every(
    (pass) => pass.ended || (pass.element?.index ?? 0) >= element.index,
  );
}

/** Whether it is an element of a loop that lets no more of them begin. */
export function inStoppedLoop({ parent, element, record }: RunNode): boolean {
  if (element === undefined || record.metadata.status !== "pending") return false;
  return parent?.inside.kind === "loop" && parent.inside.stopped;
}

/** Whether the pass waits because its loop lets no more of them go on. */
export function isKeptByLoop(pass: RunNode, isActive: (node: RunNode) => boolean): boolean {
  if (pass.element === undefined || pass.parent === undefined) return false;
  const { passes } = pass.parent.inside as LoopInside;
  return passes.filter((other) => other !== pass && isActive(other)).length >= loopLimit(pass.parent);
}

const validEndings = ["completed success", "completed failure", "failed n/a", "skipped n/a"];

/** What must hold of every run that has ended, however often it changed hands. */
export function checkEnd(state: RunState, events: readonly RunEvent[], plans: PlanSource): void {
  must(state.finished !== undefined, "it has ended");
  must(state.questions.size === 0, "nothing is asked when it has ended");
  const attempts = new Attempts();
  const ended = new Set<string>();
  const asked = new Set<string>();
  const ending = new Set<string>();
  for (const event of events) {
    if ("path" in event) must(!ended.has(event.path), `${event.path} has ended before its ${event.type}`);
    if (event.type === "block-started") checkOrder(nodeAt(state, event.path), ended);
    if (event.type === "block-interrupted") attempts.interrupt(event);
    if (event.type === "question-answered") attempts.answer(event);
    if (event.type === "block-cancelling") ending.add(event.path);
    if (event.type === "run-cancelling") ending.add("");
    if (event.type === "block-started" || event.type === "block-resumed") {
      const isBelow = around(nodeAt(state, event.path)).some(({ path }) => ending.has(path));
      must(!isBelow, `${event.type} ${event.path} in something that is being ended`);
      attempts.begin(event);
    }
    if (event.type === "block-paused") {
      must(!asked.has(event.questionId), `${event.path} asks under an id that was used before`);
      asked.add(event.questionId);
    }
    if (event.type === "block-finished" || event.type === "block-skipped") ended.add(event.path);
  }
  for (const node of state.nodes.values()) {
    const { status, outcome } = node.record.metadata;
    must(validEndings.includes(`${status} ${outcome}`), `${node.path} is ${status} ${outcome}`);
    must(node.ended && (node === state.root || ended.has(node.path)), `${node.path} has ended`);
  }
  must(snapshot(foldAnew(events, plans)) === snapshot(state), "the state is what the events say");
}

/** The attempts at each block: their numbers go up by one, but an answer is worked in by the attempt that asked. */
class Attempts {
  readonly #latest = new Map<string, number>();
  readonly #interrupted = new Set<string>();
  readonly #keys = new Map<string, string>();
  readonly #decided = new Set<string>();

  interrupt({ path, attempt }: BlockInterrupted): void {
    must(attempt === this.#latest.get(path), `attempt ${attempt} at ${path} was not under way`);
    this.#interrupted.add(path);
  }

  answer({ path, answer }: QuestionAnswered): void {
    if (this.#interrupted.has(path) && answer !== "rerun") this.#decided.add(path);
  }

  begin(event: BlockStarted | BlockResumed): void {
    const { path, attempt } = event;
    const before = this.#latest.get(path) ?? 0;
    const isSame = event.type === "block-resumed" && !this.#interrupted.delete(path);
    this.#interrupted.delete(path);
    must(attempt === (isSame ? before : before + 1), `attempt ${attempt} at ${path} after attempt ${before}`);
    must(!this.#decided.has(path), `${path} begins although it was decided that it does not`);
    this.#latest.set(path, attempt);
    if (event.type === "block-resumed") return;
    const key = this.#keys.get(path) ?? event.idempotencyKey;
    must(key === event.idempotencyKey, `${path} has one idempotency key`);
    this.#keys.set(path, key);
  }
}

function checkOrder(node: RunNode, ended: ReadonlySet<string>): void {
  for (const { path } of around(node)) must(!ended.has(path), `${path} has not ended when ${node.path} starts`);
  if (node.element !== undefined) return;
  const { children } = node.workflow.inside as WorkflowInside;
  for (const { on } of node.block?.edges ?? []) {
    must(ended.has(children[on]?.path ?? ""), `${node.path} waits for ${children[on]?.path}`);
  }
}

/** Whether something around the node, or the node itself, is being ended early. */
export function isEnding(node: RunNode): boolean {
  return cancelReason(node) !== undefined;
}
