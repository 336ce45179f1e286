import type { Catalog } from "../block/catalog.ts";
import type { Problem } from "../diagnostic/problem.ts";
import { pathOf } from "../engine/address.ts";
import { findBlock, holdsBlocks, mayCome } from "../runs/find-block.ts";
import type { Platform } from "../runs/platform.ts";
import { readRun } from "../runs/read-run.ts";
import { err, ok, type Result } from "../util/result.ts";

/** Of which blocks of a run the logs are meant. */
export interface ChosenLogs {
  /** Only those of this one and what is inside it. */
  readonly block?: string;
  /** Nothing but this one block can write. */
  readonly isSingle: boolean;
}

/** Whoever follows a run may name a block that has not come yet. */
export async function chooseLogs(
  platform: Platform,
  catalog: Catalog,
  runId: string,
  block: string | undefined,
  isFollowed: boolean,
): Promise<Result<ChosenLogs, Problem>> {
  if (block === undefined) return ok({ isSingle: false });
  const read = await readRun(platform, catalog, runId);
  if (!read.ok) return read;
  const { state } = read.value;
  const found = findBlock(state, pathOf(block));
  if (found.ok) return ok({ block, isSingle: !holdsBlocks(found.value) });
  return isFollowed && mayCome(state, pathOf(block)) ? ok({ block, isSingle: false }) : err(found.error);
}
