/** Where a run may go on: a part of `RunEvent`. */

/** Which workers may take a run. */
export interface RunQueue {
  /** All of these a worker must have; sorted, each once. */
  readonly labels: readonly string[];
  /** The machine that has its workspace; any machine when absent. */
  readonly host?: string;
  /** How many runs of its workflow may go on at the same time. */
  readonly concurrency?: number;
}

/** A fresh workspace was made for the run, or for that which it repeats or takes back; from now on it works there, and nowhere else. */
export interface WorkspaceMade {
  readonly type: "workspace-made";
  readonly at: string;
  readonly workspace: string;
  /** The machine that has it. */
  readonly host: string;
  /** The commit that was checked out; absent of one that was made empty. */
  readonly commit?: string;
}
