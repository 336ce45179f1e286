import { expect } from "vitest";
import type { Catalog } from "../../src/block/catalog.ts";
import type { RunEvent, RunStarted } from "../../src/run/events.ts";
import type { Execution } from "../../src/run/execution.ts";
import { isWithin, type LoopInside, type Node, type WorkflowInside } from "../../src/run/node.ts";
import { createPlanSource } from "../../src/run/plan-source.ts";
import { applyEvent, createState, type RunState } from "../../src/run/state.ts";
import type { Outcome } from "../rig/engine.ts";

/** What must hold whenever nothing happens by itself: limits are kept, and nobody waits for a place that is free. */
export function checkMoment(state: RunState, running: readonly string[]): void {
  const runningNodes = running.map((path) => state.nodes.get(path) as Node);
  const runningIn = (node: Node): number => runningNodes.filter((leaf) => isWithin(leaf, node)).length;
  for (const node of state.nodes.values()) {
    const limit = limitOf(node, state);
    if (limit !== undefined) expect(runningIn(node), `places of '${node.path}'`).toBeLessThanOrEqual(limit);
    if (node.inside.kind === "loop") {
      const busy = node.inside.passes.filter((pass) => runningIn(pass) > 0).length;
      expect(busy, `passes of '${node.path}'`).toBeLessThanOrEqual(loopLimit(node));
    }
    if (waitsForPlace(node) && state.root.cancelling === undefined) {
      const isFull = aroundOf(node).some((at) => runningIn(at) >= (limitOf(at, state) ?? Number.POSITIVE_INFINITY));
      expect(isFull || loopIsBusy(node, runningIn), `'${node.path}' waits although there is a place`).toBe(true);
    }
  }
}

function limitOf(node: Node, state: RunState): number | undefined {
  if (node.inside.kind !== "workflow") return undefined;
  return node === state.root ? state.started.maxParallel : node.inside.plan.definition.maxParallel;
}

function loopLimit({ block }: Node): number {
  const loop = block?.definition.forEach;
  return loop?.mode === "sequential" ? 1 : (loop?.maxParallel ?? 0);
}

function aroundOf(node: Node): Node[] {
  const around: Node[] = [];
  for (let at = node.parent; at !== undefined; at = at.parent) around.push(at);
  return around;
}

/** Ready by its dependencies and not begun. */
function waitsForPlace(node: Node): boolean {
  const { parent, block, record } = node;
  if (parent === undefined || block === undefined || record.metadata.status !== "pending") return false;
  return node.element !== undefined || (parent.inside as WorkflowInside).waiting[block.index] === 0;
}

function loopIsBusy(node: Node, runningIn: (node: Node) => number): boolean {
  if (node.element === undefined || node.parent === undefined) return false;
  const { passes } = node.parent.inside as LoopInside;
  const open = passes.filter((pass) => !pass.ended && pass.record.metadata.status !== "pending");
  if (node.block?.definition.forEach?.mode === "sequential") return open.length > 0;
  return open.filter((pass) => runningIn(pass) > 0).length >= loopLimit(node.parent);
}

const validEndings = ["completed success", "completed failure", "failed n/a", "skipped n/a"];

/** What must hold of every run that has ended. */
export function checkEnd({ state, events }: Outcome, catalog: Catalog): void {
  expect(state.finished).toBeDefined();
  expect(state.pending.size).toBe(0);
  const ended = new Map<string, number>();
  for (const event of events) {
    if (event.type === "block-started") checkOrder(nodeOf(state, event.path), ended);
    if (event.type === "block-finished" || event.type === "block-skipped") {
      expect(ended.has(event.path), `${event.path} ends once`).toBe(false);
      ended.set(event.path, ended.size);
    }
  }
  for (const node of state.nodes.values()) {
    const { status, outcome } = node.record.metadata;
    expect(validEndings, node.path).toContain(`${status} ${outcome}`);
    expect(node.ended && (node === state.root || ended.has(node.path)), `${node.path} has ended`).toBe(true);
  }
  const folded = foldAnew(events, catalog);
  expect(snapshot(folded)).toEqual(snapshot(state));
}

function checkOrder(node: Node, ended: ReadonlyMap<string, number>): void {
  for (const around of aroundOf(node)) expect(ended.has(around.path), `${around.path} holds ${node.path}`).toBe(false);
  if (node.element !== undefined) return;
  const { children } = node.workflow.inside as WorkflowInside;
  for (const { on } of node.block?.edges ?? []) {
    expect(ended.has(children[on]?.path ?? ""), `${node.path} waits for ${children[on]?.path}`).toBe(true);
  }
}

function nodeOf(state: RunState, path: string): Node {
  const node = state.nodes.get(path);
  if (node === undefined) throw new Error(`There is nothing at ${path}.`);
  return node;
}

/** The state made from nothing but the events as they would be stored. */
function foldAnew(events: readonly RunEvent[], catalog: Catalog): RunState {
  const [started, ...rest] = JSON.parse(JSON.stringify(events)) as [RunStarted, ...RunEvent[]];
  const state = createState(started, createPlanSource(started.definitions, catalog));
  for (const event of rest) applyEvent(state, event);
  return state;
}

/** All of a state that others can see, as plain data. */
function snapshot(state: RunState): unknown {
  return JSON.parse(
    JSON.stringify({
      record: state.root.record,
      pending: [...state.pending].map(([id, { path, pending }]) => ({ id, path, prompt: pending?.prompt })),
      answered: [...state.answered],
      paused: state.paused,
      cancelRequested: state.cancelRequested,
      finished: state.finished,
    }),
  );
}

/** A record without what depends on the order of completions and on the clock. */
export function timeless({ inputs, outputs, metadata, blocks }: Execution): unknown {
  const { status, outcome, message, wave, attempts } = metadata;
  const inner = Object.fromEntries(Object.entries(blocks).map(([key, child]) => [key, timeless(child)]));
  return JSON.parse(JSON.stringify({ inputs, outputs, status, outcome, message, wave, attempts, blocks: inner }));
}
