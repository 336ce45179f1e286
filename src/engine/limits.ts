import { roughSize } from "../util/rough-size.ts";
import type { RunEvent } from "./events.ts";
import type { RunState } from "./state.ts";

/** How large a run may become. Whoever drives it decides, so a run that was too large can go on under a higher limit. */
export interface RunLimits {
  /** Blocks, passes of loops and the run itself. */
  readonly nodes: number;
  /** Of all its events. */
  readonly recordedBytes: number;
}

export const nodesVariable = "FROND_MAX_NODES";
export const recordedVariable = "FROND_MAX_RECORDED_MB";

/** Blocks that run at the same time, unless somebody says otherwise. */
export const defaultMaxParallel = 64;

export const defaultLimits: RunLimits = { nodes: 100_000, recordedBytes: 256_000_000 };

/** About what an event adds to the record of its run. */
export function recordedSize(event: RunEvent): number {
  return roughSize(event);
}

/** Why so many nodes more can't be entered, if that is so. */
export function refuseNodes(state: RunState, more: number, limits: RunLimits): string | undefined {
  const { size } = state.nodes;
  if (size + more <= limits.nodes) return undefined;
  const count = (nodes: number): string => nodes.toLocaleString("en-US");
  return (
    `The run would have ${count(size + more)} nodes (blocks and loop elements); the limit is ${count(limits.nodes)}. ` +
    `Split the work into several runs, or raise ${nodesVariable}.`
  );
}

/** What `finally` may add to a record that is full: it is there for a run that ended for that, too. */
const spareForFinally = 1_000_000;

/** Why so many bytes more can't be recorded, if that is so. */
export function refuseRecord(
  state: RunState,
  more: number,
  limits: RunLimits,
  isOfFinally: boolean,
): string | undefined {
  if (state.recorded + more <= limits.recordedBytes + (isOfFinally ? spareForFinally : 0)) return undefined;
  return `The run would record more than ${megabytes(limits)} of inputs and outputs. ${fix}`;
}

/** What a run that was refused that ends with: it goes after "the workflow". */
export function recordedTooMuch(limits: RunLimits): string {
  return `recorded ${megabytes(limits)} of inputs and outputs, which is the limit. ${fix}`;
}

const fix = `Keep large data in files, or raise ${recordedVariable}.`;

function megabytes({ recordedBytes }: RunLimits): string {
  return `${(recordedBytes / 1e6).toLocaleString("en-US")} MB`;
}
