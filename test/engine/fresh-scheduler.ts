import { hasBegun, isLoop, isUnderFinally, isWithin, type RunNode } from "../../src/engine/run-node.ts";
import { Scheduler } from "../../src/engine/scheduler.ts";
import type { RunState } from "../../src/engine/state.ts";
import type { Step } from "../../src/engine/step.ts";
import {
  around,
  inStoppedLoop,
  isBelowStoppedLoop,
  isEnding,
  isKeptByLoop,
  isReady,
  limitOf,
  loopLimit,
  must,
} from "./invariants.ts";

/**
 * What must hold at once of a scheduler made from any state that events can leave: it hands out everything that can go on, once,
 * keeps every limit, lets nobody wait for a free place, and what it calls quiet is what it has nothing for.
 */
export function checkFresh(state: RunState): void {
  checkClosing(state);
  const scheduler = new Scheduler(state);
  const steps = drain(scheduler);
  const handed = new Map(steps.map((step) => [step.node, step]));
  must(handed.size === steps.length, "no node is handed out twice");
  for (const node of state.nodes.values()) {
    const isBusy = steps.some((step) => isWithin(step.node, node));
    must(scheduler.isQuiet(node) !== isBusy, `'${node.path}' is ${isBusy ? "" : "not "}quiet`);
    const limit = limitOf(node, state);
    if (limit !== undefined) must(holding(steps, node) <= limit, `more than ${limit} in '${node.path}'`);
    if (node.inside.kind === "loop") {
      const active = node.inside.passes.filter((pass) => steps.some(isLivelyIn(pass))).length;
      must(active <= loopLimit(node), `${active} passes of '${node.path}'`);
    }
    const step = handed.get(node);
    if (step?.kind === "wait") {
      const isFull = around(node).some((at) => holding(steps, at) >= (limitOf(at, state) ?? Number.POSITIVE_INFINITY));
      must(isFull, `'${node.path}' waits although there is a place`);
    }
    checkStep(node, step, (pass) => !scheduler.isQuiet(pass));
  }
}

/** What is under `finally` may begin only when everything else has ended. */
function checkClosing({ closing, nodes }: RunState): void {
  for (const node of nodes.values()) {
    if (node.parent === undefined || node.element !== undefined) continue;
    const { parent } = node;
    if (isUnderFinally(node)) must(hasClosed(parent) || !hasBegun(node), `'${node.path}' has begun before its time`);
    else must(!closing.has(parent) || node.ended, `'${node.path}' has not ended, and \`finally\` has begun`);
  }
}

function hasClosed({ inside }: RunNode): boolean {
  return inside.kind === "workflow" && inside.closing !== undefined;
}

/** After anything but a skip more may happen in the pass; in one that is being ended only what begins matters. */
function isLivelyIn(pass: RunNode): (step: Step) => boolean {
  const begins = isEnding(pass) ? ["start", "resume"] : undefined;
  return ({ kind, node }) => (begins?.includes(kind) ?? kind !== "skip") && isWithin(node, pass);
}

function drain(scheduler: Scheduler): Step[] {
  const steps: Step[] = [];
  for (let step = scheduler.next(); step !== undefined; step = scheduler.next()) {
    if (step.kind === "consider") scheduler.approve(step.node);
    else steps.push(step);
  }
  return steps;
}

function holding(steps: readonly Step[], node: RunNode): number {
  return steps.filter((step) => holdsPlace(step) && isWithin(step.node, node) && step.node !== node).length;
}

function holdsPlace({ kind, node }: Step): boolean {
  if (kind === "resume") return true;
  return kind === "start" && node.block?.definition.type.behaviour.kind === "leaf" && !isLoop(node);
}

/** Each node has exactly the step its state calls for. */
function checkStep(node: RunNode, step: Step | undefined, isActive: (node: RunNode) => boolean): void {
  const expected = expectedSteps(node);
  if (step !== undefined) return must(expected.includes(step.kind), `'${node.path}' is to ${step.kind}`);
  const isSkipped = expected.length === 1 && expected[0] === "skip" && node.parent?.stage.kind !== "sleeping";
  const waitsForLoop = !isSkipped && [node, ...around(node)].some((at) => isKeptByLoop(at, isActive));
  must(expected.length === 0 || waitsForLoop, `'${node.path}' is to ${expected.join(" or ")}`);
}

function expectedSteps(node: RunNode): Step["kind"][] {
  const { inside, stage, ended } = node;
  if (ended) return [];
  const isDone =
    (inside.kind === "workflow" && inside.open === 0) ||
    (inside.kind === "loop" && inside.endedPasses === inside.elements.length);
  // What is between two attempts holds the blocks of the one that is over.
  const isBetween = (stage.kind === "sleeping" || stage.kind === "woken") && stage.about === "retry";
  if (isDone && !isBetween) return ["conclude"];
  switch (stage.kind) {
    case "waiting":
      return firstSteps(node);
    case "running":
      return ["interrupted"];
    case "interrupted":
      return stage.action === "rerun" ? resumed(node) : ["interrupted"];
    case "asking":
      return isEnding(node) || isBelowStoppedLoop(node) ? ["withdraw"] : [];
    case "answered":
    case "decided":
      return resumed(node);
    case "sleeping":
      if (stage.about === "repeat") return [];
      return isEnding(node) || isBelowStoppedLoop(node) ? ["withdraw"] : [];
    case "woken":
      if (stage.about === "repeat") return [];
      if (stage.about !== "retry") return resumed(node);
      return isEnding(node) || isBelowStoppedLoop(node) ? ["withdraw"] : ["start", "wait"];
    case "ended":
      return [];
  }
}

function firstSteps(node: RunNode): Step["kind"][] {
  // Elements of a loop that is being ended do not wait for each other.
  const isNotWaitedFor = node.parent?.stage.kind === "sleeping" && isBelowStoppedLoop(node);
  const isLeftOut = isEnding(node) || inStoppedLoop(node) || isNotWaitedFor;
  if (node.element !== undefined && isLeftOut && node.record.metadata.status === "pending") return ["skip"];
  if (!isReady(node)) return [];
  return isEnding(node) ? ["skip"] : ["start", "wait", "skip"];
}

function resumed(node: RunNode): Step["kind"][] {
  return isEnding(node) ? ["withdraw"] : ["resume", "wait"];
}
