import { defined } from "../util/defined.ts";
import type { CaseResult, FileResult } from "./case-result.ts";

type Counts = Record<CaseResult["status"], number>;

export function countCases(files: readonly FileResult[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, cancelled: 0 };
  for (const { cases } of files) for (const { status } of cases) counts[status]++;
  return counts;
}

/** The report as data. */
export function describeTests(files: readonly FileResult[], durationMs: number): object {
  const counts = countCases(files);
  return {
    status: counts.cancelled > 0 ? "cancelled" : counts.failed > 0 ? "failure" : "success",
    ...counts,
    duration_ms: Math.round(durationMs),
    files: files.map(({ file, workflow, cases }) => ({ file, workflow, cases: cases.map(describeCase) })),
  };
}

function describeCase(one: CaseResult): object {
  const { name, status, durationMs, needs, mismatches, failedBlocks, warnings, kept } = one;
  return {
    name,
    status,
    duration_ms: Math.round(durationMs),
    ...(needs.length === 0 ? {} : { needs }),
    ...(mismatches.length === 0 ? {} : { mismatches }),
    ...(failedBlocks.length === 0 ? {} : { failed_blocks: failedBlocks }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...defined({ kept }),
  };
}
