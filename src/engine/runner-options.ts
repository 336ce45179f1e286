import type { BlockType, LeafBehaviour } from "../block/define-block.ts";
import type { Isolation } from "../block/isolation.ts";
import type { Blobs, OutputStream, Ports, RunLogs, Scratch } from "../block/ports.ts";
import type { Observer } from "../changes/observer.ts";
import type { ValueMap } from "../expression/value.ts";
import type { KeyedLocks } from "../util/keyed-locks.ts";
import type { Result } from "../util/result.ts";
import type { Semaphore } from "../util/semaphore.ts";
import type { FrozenDefinition, RollbackResult } from "./events.ts";
import type { InterruptionOptions } from "./interruption.ts";
import type { RunLimits } from "./limits.ts";
import type { Reuse } from "./reuse.ts";
import type { Secrets } from "./secrets.ts";
import type { TurnOptions } from "./turns.ts";

/** The part of the platform that the engine uses: what it hands on to blocks, and what it keeps to itself. */
export interface EnginePlatform extends Ports {
  readonly logs: RunLogs;
  readonly blobs: Blobs;
  /** For blocks whose effects are to be isolated. */
  readonly isolation: Isolation;
  readonly observer: Observer;
  /** For blocks to use, never to be seen. */
  readonly secrets: Secrets;
  /** For whoever must be alone with a file, over all runs of this process. */
  readonly locks: KeyedLocks;
  /** Bounds the commands of all runs of this process together. */
  readonly processSlots: Semaphore;
  /** The real path of a directory inside another; the error says why not. */
  directoryInside(root: string, path: string): Result<string, string>;
  /** Tells the user what they should know although nothing has failed. */
  warn(message: string): void;
}

export interface RollbackRequest {
  readonly undoRun: string;
  /** Of a node; empty for the whole run. */
  readonly path: string;
  readonly attempt: number;
}

/** What a runner is given beside the state of its run. */
export interface RunnerOptions extends TurnOptions, InterruptionOptions {
  readonly platform: EnginePlatform;
  readonly scratch: Scratch;
  /** Where Frond keeps its own data; a real path. */
  readonly stateDirectory: string;
  readonly limits: RunLimits;
  /** A workflow that was not known when the run started; the error says why it can't be used. */
  findLate(name: string): Result<FrozenDefinition, string>;
  /** Rejects when another process has taken the run. */
  confirmHeld(): Promise<void>;
  /** Takes back what a node did, by a run of its own that has this id; one that exists already is gone on with. */
  rollBack(request: RollbackRequest, signal: AbortSignal): Promise<RollbackResult>;
  /** What the commands of an attempt, which its logs are named by too, find in their environment unless the block says otherwise. */
  variablesOf?(attempt: { readonly block: string; readonly attempt: number }): Readonly<Record<string, string>>;
  onOutput(path: string, stream: OutputStream, chunk: Uint8Array): void;
  /** What is asked for is put on record, and whoever drives the run next does what follows from it. */
  readonly onlyRecords?: boolean;
  /** Results of a run before, in a run that repeats it. */
  readonly reuse?: Reuse | undefined;
  /**
   * What is called instead of the block's own code, if anything: a test of a workflow must not do all that the workflow does.
   * With `undoes`, for what takes back what the block at this path did.
   */
  standIn?(path: string, type: BlockType, defaults: ValueMap, undoes: boolean): LeafBehaviour | undefined;
}
