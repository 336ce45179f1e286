import type { RunEvent } from "../../src/engine/events.ts";
import type { TestRun } from "../rig/engine.ts";
import { step } from "../rig/step-engine.ts";

/** A step that tells nothing and costs what its author says. */
export function costing(id: string, usd: number, more: object = {}): object {
  return step(id, { cost: { usd }, ...more });
}

export const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `s${index}`);

export function starts(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "block-started" && event.inside.kind === "leaf" ? [event.path] : [],
  );
}

export function question({ state }: TestRun): {
  readonly path: string;
  readonly text: string;
  readonly audience: string;
} {
  const [node] = [...state.questions.values()];
  if (node?.stage.kind !== "asking") throw new Error("Nobody is asked anything.");
  return { path: node.path, ...node.stage.question };
}
