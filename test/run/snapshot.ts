import type { RunEvent, RunStarted } from "../../src/run/events.ts";
import type { Execution } from "../../src/run/execution.ts";
import type { Node } from "../../src/run/node.ts";
import { applyEvent, createState, type PlanSource, type RunState } from "../../src/run/state.ts";

/** The state made from nothing but the events as they would be stored. */
export function foldAnew(events: readonly RunEvent[], plans: PlanSource): RunState {
  const [started, ...rest] = JSON.parse(JSON.stringify(events)) as [RunStarted, ...RunEvent[]];
  const state = createState(started, plans);
  for (const event of rest) applyEvent(state, event);
  return state;
}

/** All of a state, as text: two states are the same when their snapshots are. */
export function snapshot(state: RunState): string {
  const { started, definitions, pending, answered, paused, cancelRequested, finished, sequence, latest } = state;
  return JSON.stringify(
    {
      started,
      definitions: [...definitions].map(([name, { text }]) => [name, text]),
      pending: [...pending].map(([id, node]) => [id, node.path]),
      answered: [...answered],
      paused,
      cancelRequested,
      finished,
      sequence,
      latest,
      record: state.root.record,
      nodes: [...state.nodes].map(([path, node]) => [path, describeNode(node)]),
    },
    null,
    1,
  );
}

function describeNode({ key, element, inside, stage, answer, processes, questions, cancelling, ended }: Node): unknown {
  return { key, element, stage, answer, processes, questions, cancelling, ended, inside: describeInside(inside) };
}

function describeInside(inside: Node["inside"]): unknown {
  switch (inside.kind) {
    case "leaf":
      return {};
    case "loop":
      return { ...inside, passes: inside.passes.map(({ path }) => path), passByKey: [...inside.passByKey.keys()] };
    case "workflow":
      return {
        ...inside,
        plan: inside.plan.definition.source.text,
        children: inside.children.map(({ path }) => path),
        handledBy: [...inside.handledBy].map(([block, by]) => [block, ...by]),
      };
  }
}

/** A record without what depends on the order of completions, on the clock and on who ran it how often. */
export function timeless({ inputs, outputs, metadata, blocks }: Execution): unknown {
  const { status, outcome, message, wave } = metadata;
  const inner = Object.fromEntries(Object.entries(blocks).map(([key, child]) => [key, timeless(child)]));
  return JSON.parse(JSON.stringify({ inputs, outputs, status, outcome, message, wave, blocks: inner }));
}
