import { readdirSync, renameSync, type Stats, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BlobUsage } from "../../block/ports.ts";
import { hasCode } from "./file-problems.ts";

/** Whatever else lies there is not ours. */
export const runPattern: RegExp = /^run_[0-9a-z]+$/;
const sharedPattern = /^[0-9a-f]{2}$/;
/** What is taken away lies under this name until nobody can have begun to use it. */
export const goingSuffix = ".going";
/** Then others have their turn. */
const mostAtOnce = 500;

export async function surveyBlobs(directory: string): Promise<BlobUsage> {
  const seen = new Set<string>();
  const runs = new Map<string, number>();
  let bytes = 0;
  let unusedBytes = 0;
  const count = ({ dev, ino, size }: Stats): void => {
    const file = `${dev}:${ino}`;
    if (seen.has(file)) return;
    seen.add(file);
    bytes += size;
  };
  for await (const { runId, stats } of filesOfRuns(directory)) {
    runs.set(runId, (runs.get(runId) ?? 0) + (stats?.size ?? 0));
    if (stats !== undefined) count(stats);
  }
  for await (const { stats } of sharedFiles(directory)) {
    if (stats.nlink === 1) unusedBytes += stats.size;
    count(stats);
  }
  return { bytes, unusedBytes, runs };
}

/** Removes what no run uses, also what is left of a removal that was cut short. */
export async function sweepBlobs(directory: string): Promise<void> {
  for await (const { path } of sharedFiles(directory)) {
    if (path.endsWith(goingSuffix)) settleGoing(path, path.slice(0, -goingSuffix.length));
    else discardUnused(path);
  }
}

/**
 * Somebody may begin to use a file between the look at its number of names and its removal, so it first loses the name by which it is
 * found: whoever was faster has given it another name by then, and it gets this one back.
 */
export function discardUnused(shared: string): void {
  const found = statSync(shared, { throwIfNoEntry: false });
  if (found === undefined || found.nlink > 1) return;
  const going = shared + goingSuffix;
  try {
    renameSync(shared, going);
  } catch (error) {
    // Another process does the same.
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  settleGoing(going, shared);
}

function settleGoing(going: string, shared: string): void {
  try {
    if (statSync(going).nlink > 1) renameSync(going, shared);
    else unlinkSync(going);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

async function* filesOfRuns(
  directory: string,
): AsyncGenerator<{ readonly runId: string; readonly stats: Stats | undefined }> {
  for (const runId of namesIn(join(directory, "runs")).filter((name) => runPattern.test(name))) {
    // Also of a run that has none left.
    yield { runId, stats: undefined };
    for await (const { stats } of filesIn(join(directory, "runs", runId))) yield { runId, stats };
  }
}

async function* sharedFiles(directory: string): AsyncGenerator<{ readonly path: string; readonly stats: Stats }> {
  for (const name of namesIn(directory)) if (sharedPattern.test(name)) yield* filesIn(join(directory, name));
}

async function* filesIn(directory: string): AsyncGenerator<{ readonly path: string; readonly stats: Stats }> {
  let done = 0;
  for (const name of namesIn(directory)) {
    if (++done % mostAtOnce === 0) await nextTurn();
    const path = join(directory, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile()) yield { path, stats };
  }
  await nextTurn();
}

export function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
