import { idempotencyKey } from "../engine/ids.ts";
import { addressWithin, isLeaf, type RunNode } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import type { Platform } from "../runs/platform.ts";
import { LogDecoder } from "./read-logs.ts";

/** How far a run that goes on has come. */
export interface RunProgress {
  /** Blocks that have ended, of those that are known so far. */
  readonly done: number;
  readonly total: number;
  /** By address: for how many seconds the blocks that run have done so, the longest first. */
  readonly running: Readonly<Record<string, number>>;
  /** Blocks that run beside those. */
  readonly more_running?: number;
}

const mostRunning = 10;

export function describeProgress({ nodes }: RunState, nowMs: number): RunProgress {
  let done = 0;
  const running: (readonly [path: string, seconds: number])[] = [];
  for (const node of nodes.values()) {
    if (node.parent === undefined) continue;
    if (node.ended) done += 1;
    else if (isRunning(node)) running.push([node.path, secondsOf(node, nowMs)]);
  }
  running.sort(([, one], [, other]) => other - one);
  const more = running.length - mostRunning;
  return {
    done,
    total: nodes.size - 1,
    running: Object.fromEntries(running.slice(0, mostRunning)),
    ...(more > 0 ? { more_running: more } : {}),
  };
}

function isRunning(node: RunNode): boolean {
  return isLeaf(node) && node.stage.kind === "running";
}

/** Without the time in which it waited, as in the tree. */
function secondsOf({ attemptMs, runningSince }: RunNode, nowMs: number): number {
  const since = runningSince === undefined ? nowMs : Date.parse(runningSince);
  return Math.round((attemptMs + Math.max(0, nowMs - since)) / 100) / 10;
}

/** A file of a log has up to 10 MB, and is read from its beginning. */
const mostLogs = 4;
const longestLine = 200;

/** One attempt that runs, and where its log is. */
export interface RunningLog {
  readonly block: string;
  readonly attempt: number;
}

/** Of the blocks that run, those that began last. */
export function runningLogs({ nodes, started }: RunState): readonly RunningLog[] {
  return [...nodes.values()]
    .filter(isRunning)
    .sort((one, other) => ((one.attemptAt ?? "") < (other.attemptAt ?? "") ? 1 : -1))
    .slice(0, mostLogs)
    .map((node) => ({
      block: idempotencyKey(started.runId, addressWithin(node)),
      attempt: node.record.metadata.attempts,
    }));
}

/** The last line that any of them wrote. */
export async function readLastLine(
  { logs }: Platform,
  runId: string,
  running: readonly RunningLog[],
): Promise<string | undefined> {
  let latest: { readonly at: number; readonly line: string } | undefined;
  for (const key of running) {
    const ends = (await logs.readEnd(runId, key)).slice(-mostChunks);
    const decoder = new LogDecoder();
    const text = ends.map((chunk) => decoder.decode({ ...key, ...chunk, isLast: false })).join("");
    const line = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
    const at = ends.at(-1)?.at ?? 0;
    if (line !== "" && at >= (latest?.at ?? 0)) latest = { at, line };
  }
  if (latest === undefined || latest.line.length <= longestLine) return latest?.line;
  return `...${latest.line.slice(-longestLine)}`;
}

/** A line may have been written in pieces. */
const mostChunks = 20;
