import type { BlockType, LeafBehaviour } from "../block/define-block.ts";
import type { ValueMap } from "../expression/value.ts";
import type { Semaphore } from "../util/semaphore.ts";
import type { ChildSurroundings } from "./enter-child.ts";
import type { InterruptionOptions } from "./interruption.ts";
import type { RunLimits } from "./limits.ts";
import type { LeafSurroundings } from "./running-leaves.ts";
import type { TurnOptions } from "./turns.ts";

export interface RunnerOptions extends LeafSurroundings, TurnOptions, InterruptionOptions {
  readonly children: ChildSurroundings;
  readonly limits: RunLimits;
  /** Bounds commands over all runs of the process. */
  readonly processSlots: Semaphore;
  /** Told what the user should know although nothing has failed. */
  warn(message: string): void;
  /** What is called instead of the block's own code, if anything: a test of a workflow must not do all that the workflow does. */
  standIn?(path: string, type: BlockType, defaults: ValueMap): LeafBehaviour | undefined;
}
