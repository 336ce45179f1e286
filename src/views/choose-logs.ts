import type { Catalog } from "../block/catalog.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { parseAddress, pathOf } from "../engine/address.ts";
import { isLoop } from "../engine/run-node.ts";
import { holdsBlocks, mayCome } from "../runs/find-block.ts";
import type { Platform } from "../runs/platform.ts";
import { readRun } from "../runs/read-run.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { findAddress, unknownAttemptCode } from "./find-address.ts";
import type { LogSelection } from "./read-logs.ts";

/** Of which blocks of a run the logs are meant. */
export interface ChosenLogs {
  readonly selection: LogSelection;
  /** Nothing but this one block can write. */
  readonly isSingle: boolean;
}

/**
 * `attempt` is one of the named block; of a loop, or where none is named, one of each block that writes. Whoever follows a run may
 * name what has not come yet.
 */
export async function chooseLogs(
  platform: Platform,
  catalog: Catalog,
  runId: string,
  { block, attempt }: LogSelection,
  isFollowed: boolean,
): Promise<Result<ChosenLogs, Problem>> {
  if (block === undefined) return ok({ selection: defined({ attempt }), isSingle: false });
  const run = await readRun(platform, catalog, runId);
  if (!run.ok) return run;
  const { nodes } = run.value.state;
  const latest = nodes.get(pathOf(block));
  const named = parseAddress(block).at(-1)?.attempt;
  if (named !== undefined && attempt !== undefined && named !== attempt) {
    return err(problem("two-attempts", `'${block}' is not attempt ${attempt}.`, "Name one of the two."));
  }
  const isOfPasses = latest !== undefined && isLoop(latest);
  const isOwn = attempt !== undefined && named === undefined && !isOfPasses;
  const selection: LogSelection = isOwn
    ? { block: `${block}@${attempt}` }
    : { block, ...(isOfPasses ? defined({ attempt }) : {}) };
  const found = await findAddress(platform, catalog, run.value, selection.block ?? block);
  if (found.ok) return ok({ selection, isSingle: !holdsBlocks(found.value.node) });
  const isToCome =
    found.error.code === unknownAttemptCode
      ? latest?.ended === false
      : latest === undefined && mayCome(run.value.state, pathOf(block));
  if (!isFollowed || !isToCome) return err(found.error);
  return ok({ selection, isSingle: latest !== undefined && !holdsBlocks(latest) });
}
