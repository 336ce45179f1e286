import type { Catalog } from "../block/catalog.ts";
import type { Question } from "../block/define-block.ts";
import type { Problem } from "../diagnostic/problem.ts";
import { checkpointId, runOfCheckpoint } from "../engine/ids.ts";
import { questionOf, type WorkflowInside } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import type { Journal, RunSummary } from "../journal/journal.ts";
import { unknownCheckpoint } from "../runs/answer-question.ts";
import { type CancelOptions, cancelRun } from "../runs/cancel-run.ts";
import { eachRun } from "../runs/each-run.ts";
import type { Platform } from "../runs/platform.ts";
import { type RunStatus, readRun, type StoredRun, statusOf, unreadableCode, unreadableRun } from "../runs/read-run.ts";
import type { Runtime } from "../runs/runtime.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { describeQuestion, type QuestionData } from "./response.ts";

/**
 * Points at which a run can be gone on with. A pause (`pause_...`) is a question that waits for its answer. An automatic one
 * (`chk_..._2`) is where all blocks of so many first waves had ended; there is one for the start too, so an interrupted run always
 * has one. Automatic ones are derived from the state and stored nowhere. Whichever of a run's is named, the run goes on from where
 * it is.
 */
export interface CheckpointData {
  readonly checkpoint_id: string;
  readonly workflow: string;
  readonly run_id: string;
  readonly created_at: string;
  readonly type: "pause" | "automatic";
  readonly is_paused: boolean;
  /** Address of the block that asks. */
  readonly paused_block_id?: string;
  readonly pause_prompt?: string;
  /** Who may answer. */
  readonly audience?: "llm" | "human";
  /** When a run that sleeps goes on by itself. */
  readonly wake_at?: string;
}

export interface CheckpointQuery {
  /** Any of these; all when absent. */
  readonly workflows?: readonly string[];
  readonly limit?: number;
  /** Id of a checkpoint: only those that follow it in the list. */
  readonly after?: string;
  /** Only those of runs that work in a directory of which this is true. */
  isWanted?(workspace: string): boolean;
}

export interface CheckpointList {
  readonly checkpoints: readonly CheckpointData[];
  /** On all pages together. */
  readonly total: number;
  /** What `after` is for the next page, when there is one. */
  readonly next?: string;
  /** Runs whose checkpoints can't be told, if there are any, on all pages together. */
  readonly problems?: readonly RunProblem[];
}

/** Why a run can't be read; every other run can be. */
export interface RunProblem {
  readonly run_id: string;
  readonly workflow: string;
  readonly problem: Problem;
}

/** Questions that wait, and for each interrupted or sleeping run the latest automatic one; those of the newest run first. */
export async function listCheckpoints(
  platform: Platform,
  catalog: Catalog,
  query: CheckpointQuery,
): Promise<CheckpointList> {
  const { workflows, limit = Number.POSITIVE_INFINITY, after } = query;
  const all: CheckpointData[] = [];
  const problems: RunProblem[] = [];
  const journal = await platform.journal();
  for await (const summary of eachRun(journal, { statuses: openStatuses })) {
    if (workflows !== undefined && !workflows.includes(summary.workflow)) continue;
    if (query.isWanted?.(summary.workspace) === false) continue;
    const automatic = await latestAutomatic(platform, catalog, summary);
    const found = [...pausesOf(summary), ...(automatic.ok ? automatic.value : [])];
    all.push(...found.filter(({ checkpoint_id: id }) => !summary.hidden.includes(id)));
    const problem = automatic.ok ? damageOf(summary) : automatic.error;
    if (problem !== undefined) problems.push({ run_id: summary.runId, workflow: summary.workflow, problem });
  }
  const start = after === undefined ? 0 : await startAfter(all, after, journal);
  const checkpoints = all.slice(start, start + limit);
  const last = checkpoints.at(-1);
  const isMore = last !== undefined && start + checkpoints.length < all.length;
  const unread = problems.length === 0 ? {} : { problems };
  return { checkpoints, total: all.length, ...(isMore ? { next: last.checkpoint_id } : {}), ...unread };
}

/** Of one that is gone since, because it was answered or its run went on, what follows are the older runs. */
async function startAfter(all: readonly CheckpointData[], after: string, journal: Journal): Promise<number> {
  const known = all.findIndex(({ checkpoint_id: id }) => id === after);
  const before = runOfCheckpoint(after);
  if (known >= 0 || before === undefined) return known + 1;
  for await (const { runId } of eachRun(journal, { statuses: openStatuses, before })) {
    const older = all.findIndex(({ run_id: id }) => id === runId);
    if (older >= 0) return older;
  }
  return all.length;
}

const openStatuses = ["paused", "sleeping", "running"] as const;

/** The questions of a run that wait, from its summary alone. */
export function pausesOf({ runId, workflow, questions }: RunSummary): CheckpointData[] {
  return questions.map(({ id, path, askedAt, question }) => ({
    checkpoint_id: id,
    workflow,
    run_id: runId,
    created_at: askedAt,
    type: "pause",
    is_paused: true,
    paused_block_id: path,
    pause_prompt: question.text,
    audience: question.audience,
  }));
}

/** A question of a run that waits, and can't be read. */
function damageOf(summary: RunSummary): Problem | undefined {
  const { damage } = summary;
  return damage === undefined ? undefined : unreadableRun(summary, { kind: "damaged", reason: damage });
}

async function latestAutomatic(
  platform: Platform,
  catalog: Catalog,
  summary: RunSummary,
): Promise<Result<CheckpointData[], Problem>> {
  const status = statusOf(summary, platform);
  if (status !== "interrupted" && status !== "sleeping") return ok([]);
  const { runId, workflow } = summary;
  const read = await readRun(platform, catalog, runId);
  if (!read.ok) return read.error.code === unreadableCode ? read : ok([]);
  const wave = endedWaves(read.value.state);
  return ok([
    {
      checkpoint_id: checkpointId(runId, wave),
      workflow,
      run_id: runId,
      created_at: reachedAt(read.value.state, wave),
      type: "automatic",
      is_paused: false,
      ...(summary.wakeAt === null ? {} : { wake_at: summary.wakeAt }),
    },
  ]);
}

/** How many waves, from the first on, have only blocks that have ended. */
function endedWaves({ root }: RunState): number {
  const { children, plan } = root.inside as WorkflowInside;
  return children.reduce(
    (least, { ended, record }) => (ended ? least : Math.min(least, record.metadata.wave)),
    plan.waves.length,
  );
}

/** When the last block of the waves before this one ended. */
function reachedAt({ root, started }: RunState, wave: number): string {
  const { children } = root.inside as WorkflowInside;
  return children
    .filter(({ record }) => record.metadata.wave < wave)
    .reduce((latest, { record: { metadata } }) => maximum(latest, metadata.completed_at ?? latest), started.at);
}

function maximum(one: string, other: string): string {
  return one > other ? one : other;
}

export type CheckpointInfo = { readonly found: false; readonly checkpoint_id: string } | FoundCheckpoint;

/** A checkpoint, and how its run stands now. */
export interface FoundCheckpoint {
  readonly found: true;
  readonly checkpoint_id: string;
  readonly workflow_name: string;
  readonly run_id: string;
  readonly run_status: RunStatus;
  readonly created_at: string;
  readonly is_paused: boolean;
  readonly paused_block_id?: string;
  readonly pause_prompt?: string;
  /** Who is to answer. */
  readonly audience?: QuestionData["audience"];
  /** JSON Schema of the answer. */
  readonly schema?: ValueMap;
  /** The answers that are possible. */
  readonly choices?: readonly string[];
  /** What an empty answer stands for. */
  readonly default?: Value;
  /** When something in the run that sleeps goes on. */
  readonly wake_at?: string;
  /** Blocks of the workflow itself that have ended. */
  readonly completed_blocks: readonly string[];
  /** The first wave that has not ended, counted from 0. */
  readonly current_wave: number;
  readonly total_waves: number;
  readonly progress_percentage: number;
}

export async function getCheckpoint(
  platform: Platform,
  catalog: Catalog,
  id: string,
): Promise<Result<CheckpointInfo, Problem>> {
  const read = await readCheckpointRun(platform, catalog, id);
  if (!read.ok) return read;
  const found = read.value === undefined ? undefined : describeCheckpoint(read.value, id);
  return ok(found ?? { found: false, checkpoint_id: id });
}

/** Nothing when there is no such run; a problem when it can't be read. */
async function readCheckpointRun(
  platform: Platform,
  catalog: Catalog,
  id: string,
): Promise<Result<StoredRun | undefined, Problem>> {
  const runId = runOfCheckpoint(id);
  if (runId === undefined) return ok(undefined);
  const read = await readRun(platform, catalog, runId);
  return read.ok || read.error.code === unreadableCode ? read : ok(undefined);
}

function describeCheckpoint({ state, summary, status }: StoredRun, id: string): FoundCheckpoint | undefined {
  if (summary.hidden.includes(id)) return undefined;
  const asked = summary.questions.find((question) => question.id === id);
  const node = state.questions.get(id);
  const prompt = node === undefined ? undefined : questionOf(node)?.question;
  const wave = endedWaves(state);
  const named = Number(id.slice(id.lastIndexOf("_") + 1));
  const isAutomatic = named <= wave && id === checkpointId(state.started.runId, named);
  const createdAt = isAutomatic ? reachedAt(state, named) : asked?.askedAt;
  if (createdAt === undefined) return undefined;
  const { children, plan } = state.root.inside as WorkflowInside;
  const completed = children.filter(({ ended }) => ended).map(({ key }) => key);
  return {
    found: true,
    checkpoint_id: id,
    workflow_name: state.started.workflow,
    run_id: state.started.runId,
    run_status: status,
    created_at: createdAt,
    is_paused: prompt !== undefined,
    ...defined({ paused_block_id: node?.path }),
    ...(node === undefined || prompt === undefined ? {} : pauseFields(id, node.path, prompt)),
    ...(summary.wakeAt === null ? {} : { wake_at: summary.wakeAt }),
    completed_blocks: completed,
    current_wave: wave,
    total_waves: plan.waves.length,
    progress_percentage: Math.round((100 * completed.length) / children.length),
  };
}

function pauseFields(
  id: string,
  path: string,
  request: Question,
): Pick<FoundCheckpoint, "pause_prompt" | "audience" | "schema" | "choices" | "default"> {
  const { checkpoint_id: _, block: __, prompt, ...answer } = describeQuestion(id, path, request);
  return { pause_prompt: prompt, ...answer };
}

export interface DeletedCheckpoint {
  /** False when there was nothing to delete any more. */
  readonly deleted: boolean;
  readonly checkpoint_id: string;
  /** The run that was cancelled, because nothing it waits for is left. */
  readonly cancelled_run?: string;
  readonly message: string;
}

/** Leaves a checkpoint out of lists from now on. A paused run whose last question goes is cancelled: nobody would answer it. */
export async function deleteCheckpoint(
  runtime: Runtime,
  id: string,
  options: CancelOptions,
): Promise<Result<DeletedCheckpoint, Problem>> {
  const { platform, workflows } = runtime;
  const read = await readCheckpointRun(platform, workflows.catalog, id);
  if (!read.ok) return read;
  const run = read.value;
  if (run === undefined) return err(unknownCheckpoint(id));
  const { runId, questions, hidden } = run.summary;
  if (hidden.includes(id)) return ok({ deleted: false, checkpoint_id: id, message: "It was deleted before." });
  if (describeCheckpoint(run, id) === undefined) {
    const isOver = run.state.answered.has(id);
    return isOver
      ? ok({ deleted: false, checkpoint_id: id, message: "It has been answered." })
      : err(unknownCheckpoint(id));
  }
  await (await platform.journal()).hide(runId, id);
  const deleted = { deleted: true, checkpoint_id: id } as const;
  const isLast = questions.every((one) => one.id === id || hidden.includes(one.id));
  if (run.status !== "paused" || !isLast) return ok({ ...deleted, message: `${runId} itself stays as it is.` });
  const cancelled = await cancelRun(runtime, runId, options);
  if (!cancelled.ok) return cancelled;
  const message = `It was the last question of ${runId}, which is cancelled.`;
  return ok({ ...deleted, cancelled_run: runId, message });
}
