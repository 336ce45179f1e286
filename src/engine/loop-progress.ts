import type { RunNode } from "./run-node.ts";

/** What the scheduler knows of a loop beyond its state. */
export interface LoopProgress {
  /** Passes handed out so far. */
  started: number;
  /** Passes in which something can happen: one that is paused or has ended frees its slot. */
  active: number;
  /** By pass that waits for a slot in the loop, oldest first: what has been answered in it. */
  readonly returning: Map<RunNode, readonly RunNode[]>;
  /** The questions in it have been withdrawn; one asked later is withdrawn by itself. */
  isStopping: boolean;
}
