import type { Spend } from "../block/spend.ts";
import type { ValueMap } from "../expression/value.ts";
import type { Ending } from "./execution.ts";
import type { SeenEntry } from "./remarks.ts";

export interface ReuseRule {
  /** Address of a block that runs in any case, with what depends on it. */
  readonly from?: string;
  /** The texts of the run before were asked for, whatever its files say. */
  readonly frozen?: boolean;
  /** Files in the workspace that have changed since results were made that may be reused; nobody knows which commands read them. */
  readonly changedFiles?: number;
}

/** The block is not run: it has the result that it had in the run that is repeated. */
export type BlockReused = Ending & {
  readonly type: "block-reused";
  readonly at: string;
  readonly path: string;
  /** Where it ran: that run may have reused it too. */
  readonly origin: BlockOrigin;
  readonly attempt: number;
  readonly startedAt: string;
  readonly completedAt: string;
  readonly durationMs: number;
  readonly inputs: ValueMap;
  readonly outputs: ValueMap;
  readonly becauseOf: readonly string[];
  /** Its attempts but the last. */
  readonly earlier?: readonly EndedAttempt[];
  /** What it saw of files and made of them, in order. */
  readonly seen?: readonly SeenEntry[];
  /** A person answered a question of it. */
  readonly askedPerson?: true;
};

export interface BlockOrigin {
  readonly runId: string;
  /** With attempts. */
  readonly address: string;
  /** When that run had come to its end, or as far as it got. */
  readonly runEndedAt: string;
}

/** An attempt that is over. */
export interface EndedAttempt {
  readonly ending: Ending;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly spend?: Spend;
}
