import type { RunEvent, RunStarted } from "../../src/engine/events.ts";
import type { Execution } from "../../src/engine/execution.ts";
import type { RunNode } from "../../src/engine/run-node.ts";
import { applyEvent, createState, type PlanSource, type RunState } from "../../src/engine/state.ts";

/** The state made from nothing but the events as they would be stored. */
export function foldAnew(events: readonly RunEvent[], plans: PlanSource): RunState {
  const [started, ...rest] = JSON.parse(JSON.stringify(events)) as [RunStarted, ...RunEvent[]];
  const state = createState(started, plans);
  for (const event of rest) applyEvent(state, event);
  return state;
}

/** All of a state, as text: two states are the same when their snapshots are. */
export function snapshot(state: RunState): string {
  const { started, definitions, questions, answered, sleeping, closing, ...rest } = state;
  const { paused, wakeAt, cancelRequested, finished, sequence, latest } = rest;
  return JSON.stringify(
    {
      started,
      definitions: [...definitions].map(([name, { text }]) => [name, text]),
      pending: [...questions].map(([id, node]) => [id, node.path]),
      answered: [...answered],
      sleeping: [...sleeping].map(({ path }) => path),
      closing: [...closing].map(({ path }) => path),
      paused,
      wakeAt,
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

/** Everything but what leads elsewhere in the tree, and the record, which is shown as a whole. */
function describeNode({ parent, workflow, block, record, inside, ...own }: RunNode): unknown {
  const around = [parent?.path, workflow.path, block?.definition.id, record.metadata.status];
  return { ...own, around, inside: describeInside(inside) };
}

function describeInside(inside: RunNode["inside"]): unknown {
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
        ranBecauseOf: [...inside.ranBecauseOf].map(([block, by]) => [block, ...by]),
      };
  }
}

/** A record without what depends on the order of completions, on the clock and on who ran it how often. */
export function timeless({ inputs, outputs, metadata, blocks }: Execution): unknown {
  const { status, outcome, message, wave } = metadata;
  const inner = Object.fromEntries(Object.entries(blocks).map(([key, child]) => [key, timeless(child)]));
  const told = { inputs, outputs, status, outcome, message, wave, blocks: inner };
  return JSON.parse(JSON.stringify(told, (key, value: unknown) => (key === "waited_ms" ? undefined : value)));
}
