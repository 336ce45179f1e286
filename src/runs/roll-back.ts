import type { NotCaptured, RollbackResult, RunQueue, UndoneScope } from "../engine/events.ts";
import { listDeeds } from "../engine/list-deeds.ts";
import type { RollbackRequest } from "../engine/runner-options.ts";
import type { RunState } from "../engine/state.ts";
import { isMap, type Value } from "../expression/value.ts";
import type { Plan } from "../plan/plan.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { queueAfter } from "./choose-queue.ts";
import type { DrivenRun, RunListener } from "./driven-run.ts";
import { planSelection } from "./plan-undo.ts";
import { findRun, readRun } from "./read-run.ts";
import type { Runtime } from "./runtime.ts";
import { queueRun, type StartOptions, startRun } from "./start-run.ts";
import { drivenElsewhereCode, endedCode, endedHereCode, takeOver } from "./take-over.ts";
import type { UndoPlan } from "./undo-plan.ts";
import { waitForRun } from "./wait-for-run.ts";

const listener = { onEvents() {}, onOutput() {} };

/**
 * Takes back what a node of a run did, before the run goes on: its undo plan is run as a run of its own. Which one that is stands in
 * the events of the run, so that after a crash it is gone on with, and is never made twice.
 */
export async function rollBack(
  runtime: Runtime,
  runId: string,
  request: RollbackRequest,
  signal: AbortSignal,
): Promise<RollbackResult> {
  const { undoRun } = request;
  const found = await findRun(runtime.platform, undoRun);
  if (found.ok) return (await goOn(runtime, undoRun, signal)) ?? resultOf(runtime, undoRun);
  const plan = await planRollback(runtime, runId, request);
  if (!plan.ok) return partial([{ path: request.path, why: plan.error }]);
  const { blocks, notCaptured, commitPoint } = plan.value;
  if (blocks === 0) return conclude(notCaptured);
  const main = await findRun(runtime.platform, runId);
  const queue = main.ok && main.value.queue !== null ? queueAfter(main.value, runtime.platform.host) : undefined;
  const started = await startUndo(runtime, plan.value, scopeOf(runId, request, commitPoint), {
    ...listener,
    runId: undoRun,
    ...defined({ queue }),
  });
  if (!started.ok) return partial([{ path: request.path, why: started.error }]);
  await drive(started.value, signal);
  const { conflicts, ...counted } = await resultOf(runtime, undoRun);
  return { ...counted, ...conclude([...conflicts, ...notCaptured]) };
}

async function planRollback(
  runtime: Runtime,
  runId: string,
  { path, attempt }: RollbackRequest,
): Promise<Result<UndoPlan & { readonly commitPoint: string | undefined }, string>> {
  const events = await (await runtime.platform.journal()).read(runId);
  const deeds = await listDeeds(events, runtime.workflows.catalog);
  if (!deeds.ok) return err(deeds.error.reason);
  const scope = path === "" ? { path } : { path, attempt };
  const plan = await planSelection(runtime, deeds.value, { scope, sinceCommitPoint: true }, "keep");
  return ok({ ...plan, commitPoint: deeds.value.commitPoints.at(-1)?.path });
}

/** That a run was taken back only to its commit point tells whoever tries it again how far to go. */
function scopeOf(runId: string, { path, attempt }: RollbackRequest, commitPoint: string | undefined): UndoneScope {
  return path === "" ? { runId, ...defined({ to: commitPoint }) } : { runId, path, attempt };
}

export interface StartUndoOptions extends RunListener {
  readonly runId?: string;
  readonly startedBy?: string;
  readonly queue?: RunQueue;
}

/** Starts the plan as an ordinary run; the error says why it can't be. */
export async function startUndo(
  runtime: Runtime,
  plan: UndoPlan,
  undoOf: UndoneScope,
  { runId, queue, startedBy = rollbackStarter(plan.runId), ...heard }: StartUndoOptions,
): Promise<Result<DrivenRun, string>> {
  const checked = checkPlan(runtime, plan);
  if (!checked.ok) return checked;
  const place = await placeOf(runtime, plan);
  const begin = { inputs: {}, ...place, startedBy, undoOf, ...defined({ runId, queue }) };
  const run = await startRun(runtime, checked.value, { ...heard, ...begin });
  return run.ok ? run : err(`It can't be started: ${run.error.kind}.`);
}

/** The same for workers to drive: the run's id. */
export async function queueUndo(
  runtime: Runtime,
  plan: UndoPlan,
  undoOf: UndoneScope,
  { queue, startedBy }: { readonly queue: RunQueue; readonly startedBy?: string },
): Promise<Result<string, string>> {
  const checked = checkPlan(runtime, plan);
  if (!checked.ok) return checked;
  const place = await placeOf(runtime, plan);
  const begin = { inputs: {}, ...place, undoOf, queue, ...defined({ startedBy }) };
  const run = await queueRun(runtime, checked.value, begin);
  return run.ok ? run : err(`It can't be started: ${run.error.kind}.`);
}

/** It belongs where the run does that it takes back, and works where that did. */
async function placeOf(
  { platform }: Runtime,
  { runId, workspace }: UndoPlan,
): Promise<Pick<StartOptions, "workspace" | "worksIn">> {
  const found = await findRun(platform, runId);
  if (!found.ok || found.value.host === null || found.value.workspace === workspace) return { workspace };
  return { workspace: found.value.workspace, worksIn: { workspace, host: found.value.host } };
}

function checkPlan({ workflows }: Runtime, { text }: UndoPlan): Result<Plan, string> {
  const { plan, diagnostics } = workflows.checkText({ name: "undo plan", text });
  if (plan !== undefined) return ok(plan);
  return err(diagnostics.find(({ level }) => level === "error")?.message ?? "The undo plan can't be run.");
}

/** Goes on with one that its process has left, unless somebody else does; nothing when it has ended. */
async function goOn(runtime: Runtime, undoRun: string, signal: AbortSignal): Promise<RollbackResult | undefined> {
  for (;;) {
    // What takes things back must be fit to be done twice. Whoever drives a run drives what takes it back.
    const taken = await takeOver(runtime, undoRun, { ...listener, onInterrupted: "rerun", driver: "worker" });
    if (taken.ok) {
      await drive(taken.value, signal);
      return undefined;
    }
    const { code, message } = taken.error;
    if (code === endedCode || code === endedHereCode) return undefined;
    if (code !== drivenElsewhereCode) return partial([{ path: undoRun, why: message }]);
    await waitForRun(runtime.platform, undoRun, patienceMs, signal);
    signal.throwIfAborted();
  }
}

const patienceMs = 10_000;

async function drive(run: DrivenRun, signal: AbortSignal): Promise<void> {
  const stop = (): void => void run.stop().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    await run.settled();
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** What an undo run that has ended could not take back. */
async function resultOf(runtime: Runtime, undoRun: string): Promise<RollbackResult> {
  const read = await readRun(runtime.platform, runtime.workflows.catalog, undoRun);
  if (!read.ok) return partial([{ path: undoRun, why: read.error.message }]);
  const { state } = read.value;
  if (state.finished === undefined)
    return partial([{ path: undoRun, why: "the run that takes it back has not ended" }]);
  return { ...conclude(conflictsOf(state)), restored: countRestored(state) };
}

function countRestored({ root }: RunState): number {
  const counts = Object.values(root.record.blocks).map(({ outputs }) => outputs.restored);
  return counts.reduce<number>((sum, count) => sum + (typeof count === "number" ? Math.max(0, count) : 0), 0);
}

/** What stayed as it is, and for which blocks what takes them back has failed. */
export function conflictsOf({ nodes, finished }: RunState): readonly NotCaptured[] {
  if (finished?.outcome === "success") return [];
  return [...nodes.values()].flatMap(({ block, path, inside, record: { metadata, outputs } }) => {
    if (block === undefined || inside.kind === "workflow") return [];
    const listed = Array.isArray(outputs.conflicts) ? outputs.conflicts.flatMap(readConflict) : [];
    if (listed.length > 0 || !metadata.failed) return listed;
    return [{ path: block.definition.undoes?.block ?? path, why: metadata.message ?? "failed" }];
  });
}

function readConflict(value: Value): readonly NotCaptured[] {
  return isMap(value) ? [{ path: String(value.path), why: String(value.reason) }] : [];
}

function conclude(conflicts: readonly NotCaptured[]): RollbackResult {
  return conflicts.length === 0 ? { state: "complete", conflicts } : partial(conflicts);
}

function partial(conflicts: readonly NotCaptured[]): RollbackResult {
  return { state: "partial", conflicts };
}

/** Who has started the run by which the engine takes another one back. */
export function rollbackStarter(runId: string): string {
  return `rollback of ${runId}`;
}
