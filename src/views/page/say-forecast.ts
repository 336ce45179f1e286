import type { DryRunResponse } from "../dry-run.ts";
import { countOf } from "./say-words.ts";

/** What a run would do, in a sentence or two. */
export function sayForecast({ counts, would_fail: fails, blocks }: DryRunResponse): string {
  const verdicts = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`);
  const failing = fails === undefined ? "" : `It would fail: ${fails} `;
  return `${failing}${countOf(blocks.length, "block")}: ${verdicts.join(", ")}. Nothing has been run or changed.`;
}
