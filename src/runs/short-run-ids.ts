import { eachRun } from "./each-run.ts";
import { runPrefix } from "./find-run-id.ts";
import type { Platform } from "./platform.ts";

/** Fewer than these could hardly be told from those of the next run. */
const fewestCharacters = 8;

/** Of each run the beginning by which `findRunId` finds it, and no other run, as things stand. */
export async function shortRunIds(platform: Platform): Promise<ReadonlyMap<string, string>> {
  const ids: string[] = [];
  for await (const { runId } of eachRun(await platform.journal(), {})) ids.push(runId);
  ids.sort();
  const shortened = ids.map((id, index): [string, string] => {
    const own = id.slice(runPrefix.length);
    // Of all others, one of its neighbours has the most in common with it.
    const shared = Math.max(sharedLength(id, ids[index - 1]), sharedLength(id, ids[index + 1])) - runPrefix.length;
    return [id, own.slice(0, Math.max(fewestCharacters, shared + 1))];
  });
  return new Map(shortened);
}

function sharedLength(one: string, other = ""): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
