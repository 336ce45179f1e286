import { writeSync } from "node:fs";
import type { OnInterrupted } from "../../src/block/define-block.ts";
import type { WritePoint } from "../../src/journal/sqlite/write-queue.ts";
import type { Written } from "../rig/engine.ts";
import type { BugName } from "./planted-bugs.ts";

/** The workflows of a case; the root is what is run. */
export interface CaseWorkflows {
  readonly root: Written;
  readonly library: Readonly<Record<string, Written>>;
}

/** What a driver process is to do, apart from its role. */
export interface Job {
  readonly workspace: string;
  readonly workflows: CaseWorkflows;
  /** Where effects leave a line each. */
  readonly ledger: string;
  /** Decides how long blocks live and in which order questions are answered. */
  readonly seed: number;
  /** The longest that each half of a block's life may take. */
  readonly paceMs: number;
  /** Decides what is answered to questions about interrupted blocks; without it that is always `rerun`. */
  readonly decisionSeed?: number;
  readonly answers: AnswerMode;
  readonly onInterrupted?: OnInterrupted;
  /** Takes every other process for dead. */
  readonly believesDead?: boolean;
  /** Says so and waits for a line on its standard input before it first claims a run. */
  readonly waitsAtClaim?: boolean;
  readonly bug?: BugName;
}

export const answerModes = ["when paused", "at once", "through the inbox"] as const;
/** When a driver answers the questions of its run; with `none` it leaves a paused run to others. */
export type AnswerMode = (typeof answerModes)[number] | "none";

/** Given to a driver as a line on its standard input, so that it can be loaded before its moment comes. */
export type Role =
  /** Start the run if it does not exist, else go on with it, until it has ended or nothing is left to answer. */
  | { readonly kind: "drive" }
  /** Answer questions one after the other, and go on with the run if that takes it over. */
  | { readonly kind: "answer"; readonly runId: string; readonly questionIds: readonly string[] }
  | { readonly kind: "cancel"; readonly runId: string };

/**
 * The point of a write at which the driver kills itself: a number, counted from 1 through all its transactions, or the first one
 * of a name, such as `before-commit block-finished`.
 */
export const killAtWriteVariable = "FROND_CRASH_AT_WRITE";

/** What a driver tells, a line each. */
export type Said =
  /** Its code is loaded. */
  | { readonly say: "up" }
  /** The journal is open, and its role begins. */
  | { readonly say: "ready" }
  | { readonly say: "at-claim" }
  /** It holds the run, whose events go up to this number. */
  | { readonly say: "held"; readonly runId: string; readonly fence: number; readonly sequence: number }
  /** It is about to have these events made durable, the first of which has this number. */
  | { readonly say: "try"; readonly from: number; readonly events: readonly EventName[] }
  /** It has been told that these events are durable. */
  | { readonly say: "acknowledged"; readonly from: number; readonly digests: readonly string[] }
  | { readonly say: "asked"; readonly questionId: string }
  /** A block of its run is to be tried again after a while. */
  | { readonly say: "between attempts" }
  /** A block of its run sleeps from now on, between two passes or in a Wait. */
  | { readonly say: "asleep" }
  /** It has been told that an answer is durable. */
  | { readonly say: "answered"; readonly questionId: string }
  /** The same, where another process drives the run. */
  | { readonly say: "posted"; readonly questionId: string }
  /** It kills itself here. */
  | { readonly say: "fault"; readonly point: WritePoint; readonly what: readonly string[] }
  | { readonly say: "refused"; readonly code: string }
  /** Another process has taken the run. */
  | { readonly say: "lost" }
  | { readonly say: "paused" }
  | { readonly say: "cancelled" }
  | { readonly say: "ended" }
  /** It has nothing left to do, and has passed this many points of writes. */
  | { readonly say: "over"; readonly writes: number };

export type EventName = readonly [type: string, path: string];

/** At once and as a whole: what has been said is known even if the process dies right after. */
export function say(said: Said): void {
  writeSync(1, `${JSON.stringify(said)}\n`);
}
