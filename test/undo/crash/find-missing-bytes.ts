import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LeftRun } from "./crash-ground.ts";

/** Bytes that the events of runs say are kept, and that are not there for that run, or are others. */
export function findMissingBytes(state: string, runs: readonly LeftRun[]): string[] {
  return runs.flatMap(({ runId, events }) => {
    const kept = new Set(events.flatMap((event) => [...keptIn(event)]));
    return [...kept].flatMap((sha256) => {
      const file = join(state, "blobs", "runs", runId, sha256);
      if (!existsSync(file)) return [`${sha256} is not kept for ${runId}`];
      const isSame = createHash("sha256").update(readFileSync(file)).digest("hex") === sha256;
      return isSame ? [] : [`what is kept for ${runId} as ${sha256} is something else`];
    });
  });
}

function* keptIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  const { kept, sha256 } = value as { readonly kept?: unknown; readonly sha256?: unknown };
  if (kept === true) yield String(sha256);
  for (const inner of Object.values(value)) yield* keptIn(inner);
}
