import type { FailedBlock } from "../views/failures.ts";
import type { Mismatch } from "./compare.ts";

/** How a case went. One that is cancelled has neither passed nor failed. */
export interface CaseResult {
  readonly name: string;
  /** Of its file, where it begins. */
  readonly line: number;
  readonly status: "passed" | "failed" | "skipped" | "cancelled";
  readonly durationMs: number;
  /** Programs it needs and that are missing, so that it was skipped. */
  readonly needs: readonly string[];
  /** What is not as it was expected. */
  readonly mismatches: readonly Mismatch[];
  /** What the run itself has to say, when something is not as it was expected. */
  readonly failedBlocks: readonly FailedBlock[];
  readonly warnings: readonly string[];
  /** Where its directories are, if they have been kept. */
  readonly kept?: string;
}

export interface FileResult {
  /** As it was named or found. */
  readonly file: string;
  readonly workflow: string;
  readonly cases: readonly CaseResult[];
}
