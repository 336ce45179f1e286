import type { RunState } from "../../src/engine/state.ts";

/** How each block of a run ended, by its path. */
export function endings(state: RunState): Record<string, string> {
  return Object.fromEntries(
    [...state.nodes.values()]
      .filter(({ path }) => path !== "")
      .map(({ path, record: { metadata } }) => [
        path,
        metadata.status === "completed" ? metadata.outcome : metadata.status,
      ]),
  );
}
