import { type OnFailure, onFailureChoices } from "../definition/workflow-definition.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import type { PlannedBlock } from "./action.ts";
import type { SuccessConditions } from "./success-conditions.ts";

/** A step as it was read, before it is known which others it depends on. */
export interface ReadStep {
  /** Counted from 1. */
  readonly number: number;
  /** As it is written. */
  readonly id?: string;
  readonly description?: string;
  /** Ids or positions, as they are written; nothing where the step does not say. */
  readonly dependsOn?: readonly string[];
  /** What the step says, if anything. */
  readonly rollbackOnFail?: boolean;
  readonly maxRetries?: number;
  readonly timeoutSeconds?: number;
  readonly success?: SuccessConditions;
  readonly cost?: Value;
  /** Nothing of a step that can't be read. */
  readonly block?: PlannedBlock;
}

export interface StructuredStep extends Omit<ReadStep, "dependsOn" | "block"> {
  /** The id of the block that it becomes. */
  readonly blockId: string;
  /** Ids of blocks. */
  readonly dependsOn: readonly string[];
  readonly block: PlannedBlock;
}

/** What a plan says of itself. */
export interface PlanHead {
  readonly name?: string;
  readonly overview?: string;
  /** Declarations, or defaults, by name. */
  readonly inputs?: ValueMap;
  readonly budget?: Value;
  readonly onFailure?: OnFailure;
  readonly maxParallel?: number;
}

export interface StructuredPlan {
  readonly head: PlanHead;
  readonly steps: readonly StructuredStep[];
}

/** By it a run is known to be a plan's, so that its blocks are counted as steps. */
export const planTag = "plan";

/** What the failure of a step may lead to. */
export const failureChoices: typeof onFailureChoices = onFailureChoices;

/** What a step does where it does not say. */
export const usualStep = { maxRetries: 2, timeoutSeconds: 300, rollbackOnFail: true } as const;

/** How a step is named in messages: `step 2 (build)`. */
export function nameStep({ number, id }: Pick<ReadStep, "number" | "id">): string {
  return `step ${number}${id === undefined || id === String(number) ? "" : ` (${shorten(id)})`}`;
}

/** The same where it begins a sentence. */
export function startWithStep(step: Pick<ReadStep, "number" | "id">): string {
  return `S${nameStep(step).slice(1)}`;
}

function shorten(id: string): string {
  const line = id.replaceAll(/\s+/g, " ").trim();
  return line.length > 40 ? `${line.slice(0, 40)}...` : line;
}
