import { explainFailure } from "./explain-failure.ts";

/** What went wrong, in one sentence. */
export function describeFailure(error: unknown): string {
  return explainFailure(error)?.message ?? (error instanceof Error ? error.message : String(error));
}
