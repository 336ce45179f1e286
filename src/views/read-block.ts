import type { Catalog } from "../block/catalog.ts";
import type { Problem } from "../diagnostic/problem.ts";
import { exactAddress, questionOf, type RunNode } from "../engine/run-node.ts";
import type { Platform } from "../runs/platform.ts";
import { type RunStatus, readRun } from "../runs/read-run.ts";
import { ok, type Result } from "../util/result.ts";
import { type ChangedFile, describeChangedFiles } from "./changed-files.ts";
import { findAddress } from "./find-address.ts";
import { describeInputTexts, type InputText } from "./input-texts.ts";
import { LogDecoder, LogReader } from "./read-logs.ts";
import { describeExecution, describeQuestion, type ExecutionData, type QuestionData } from "./response.ts";
import { describeTree, type RunTree } from "./run-tree.ts";
import { isLeft } from "./shown-run.ts";

/** One block of a run, as data. */
export interface BlockData extends ExecutionData {
  readonly run_id: string;
  readonly run_status: RunStatus;
  readonly block: string;
  /** The question it waits for. */
  readonly pending?: QuestionData;
  /** The end of what its latest attempt wrote. */
  readonly log_tail: string;
}

export interface StoredBlock {
  /** The workflow of its run, and the directory that works in. */
  readonly workflow: string;
  readonly workspace: string;
  /** That was sent as a text. */
  readonly isInline: boolean;
  readonly data: BlockData;
  /** The block with all that is inside it; its own row is the first. */
  readonly tree: RunTree;
  /** Of its inputs, those whose text and values are apart. */
  readonly texts: Readonly<Record<string, InputText>>;
  readonly files: readonly ChangedFile[];
  readonly hasFailed: boolean;
}

/** A block by its address. Reading it starts nothing. */
export async function readBlock(
  platform: Platform,
  catalog: Catalog,
  runId: string,
  path: string,
): Promise<Result<StoredBlock, Problem>> {
  const run = await readRun(platform, catalog, runId);
  if (!run.ok) return run;
  const { status } = run.value;
  const at = await findAddress(platform, catalog, run.value, path);
  if (!at.ok) return at;
  const { state, node } = at.value;
  const asked = questionOf(node);
  const data: BlockData = {
    run_id: runId,
    run_status: status,
    block: path,
    ...describeExecution(node),
    ...(asked === undefined ? {} : { pending: describeQuestion(asked.id, node.path, asked.question) }),
    log_tail: await readTail(platform, runId, node),
  };
  const isInterrupted = isLeft(status);
  const tree = describeTree(state, { lines: Number.POSITIVE_INFINITY, isInterrupted }, node);
  const { workflow, workspace, file } = state.started;
  return ok({
    workflow,
    workspace,
    isInline: file === undefined,
    data,
    tree,
    texts: describeInputTexts(node, runId),
    files: describeChangedFiles(node, workspace),
    hasFailed: node.record.metadata.failed,
  });
}

const tailCharacters = 4_000;

async function readTail(platform: Platform, runId: string, node: RunNode): Promise<string> {
  if (node.inside.kind !== "leaf") return "";
  const reader = new LogReader(platform.logs, runId, { block: exactAddress(node) });
  reader.learn(await (await platform.journal()).read(runId));
  const decoder = new LogDecoder();
  let tail = "";
  let isCut = false;
  for await (const entries of reader.take()) {
    for (const entry of entries) {
      tail += decoder.decode(entry);
      if (tail.length <= 2 * tailCharacters) continue;
      tail = tail.slice(-tailCharacters);
      isCut = true;
    }
  }
  if (!isCut && tail.length <= tailCharacters) return tail;
  tail = tail.slice(-tailCharacters);
  // What is left of the first line would be taken for a whole one.
  return tail.slice(tail.indexOf("\n") + 1);
}
