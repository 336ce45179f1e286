import type { Catalog } from "../block/catalog.ts";
import { type Node, questionOf } from "../run/node.ts";
import { ok, type Result } from "../util/result.ts";
import { findBlock } from "./find-block.ts";
import type { Outside } from "./outside.ts";
import type { Problem } from "./problem.ts";
import { LogDecoder, LogReader } from "./read-logs.ts";
import { type RunStatus, readRun, type StoredRun } from "./read-run.ts";
import { describeExecution, describePrompt, type ExecutionData, type PendingData } from "./response.ts";

/** One block of a run, as data. */
export interface BlockData extends ExecutionData {
  readonly run_id: string;
  readonly run_status: RunStatus;
  readonly block: string;
  /** The question it waits for. */
  readonly pending?: PendingData;
  /** The end of what its latest attempt wrote. */
  readonly log_tail: string;
}

export interface StoredBlock {
  readonly run: StoredRun;
  readonly node: Node;
  readonly data: BlockData;
}

/** A block by its address. Reading it starts nothing. */
export async function readBlock(
  outside: Outside,
  catalog: Catalog,
  runId: string,
  path: string,
): Promise<Result<StoredBlock, Problem>> {
  const run = await readRun(outside, catalog, runId);
  if (!run.ok) return run;
  const found = findBlock(run.value.state, path);
  if (!found.ok) return found;
  const node = found.value;
  const question = questionOf(node);
  const data: BlockData = {
    run_id: runId,
    run_status: run.value.status,
    block: node.path,
    ...describeExecution(node),
    ...(question === undefined ? {} : { pending: describePrompt(question.id, node.path, question.prompt) }),
    log_tail: await readTail(outside, runId, node),
  };
  return ok({ run: run.value, node, data });
}

const tailCharacters = 4_000;

async function readTail(outside: Outside, runId: string, { path, inside, record }: Node): Promise<string> {
  if (inside.kind !== "leaf") return "";
  const reader = new LogReader(outside.logs, runId, { block: path, attempt: record.metadata.attempts });
  reader.learn(await (await outside.journal()).read(runId));
  const decoder = new LogDecoder();
  let tail = "";
  let isCut = false;
  for (const entry of reader.take()) {
    tail += decoder.decode(entry);
    if (tail.length <= 2 * tailCharacters) continue;
    tail = tail.slice(-tailCharacters);
    isCut = true;
  }
  if (!isCut && tail.length <= tailCharacters) return tail;
  tail = tail.slice(-tailCharacters);
  // What is left of the first line would be taken for a whole one.
  return tail.slice(tail.indexOf("\n") + 1);
}
