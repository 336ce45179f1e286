import { isDeepStrictEqual } from "node:util";
import { nameOfKey } from "../definition/workflow-path.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { DryRun } from "../engine/dry-run.ts";
import type { FrozenDefinition, RunStarted, WorkspaceMade } from "../engine/events.ts";
import { defaultMaxParallel } from "../engine/limits.ts";
import type { RunState } from "../engine/state.ts";
import type { ValueMap } from "../expression/value.ts";
import type { RunSummary } from "../journal/journal.ts";
import { refuseForbidden } from "../library/engine-rules.ts";
import type { CheckedWorkflow } from "../library/workflows.ts";
import type { Plan } from "../plan/plan.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { queueAfter, queueOf, refuseElsewhere } from "./choose-queue.ts";
import type { DrivenRun, RunListener } from "./driven-run.ts";
import { explainStart, type RefusedStart } from "./explain-start.ts";
import { findCurrent } from "./find-current.ts";
import { findFrom } from "./find-from.ts";
import { foreseeRun } from "./foresee-run.ts";
import type { Platform } from "./platform.ts";
import { findRun, type RestoredRun, type RunStatus, restoreRun, statusOf } from "./read-run.ts";
import { restoreForRerun } from "./restore-for-rerun.ts";
import type { Runtime } from "./runtime.ts";
import { type MadeFor, queueRun, recordRun, type StartOptions, type StartProblem, startRun } from "./start-run.ts";
import { refuseUnreachable } from "./take-over.ts";

/**
 * Which texts whoever asks may run: those of libraries, as they are now; those of runs, too; or of any file, because they could name
 * that file as well.
 */
export type TrustedTexts = "library" | "library-and-frozen" | "any-file";

export interface RerunOptions {
  /** Address of a block that runs in any case, with what depends on it. */
  readonly from?: string | undefined;
  /** Everything runs again. */
  readonly all?: boolean | undefined;
  /** Its own texts are taken, whatever the files say now. */
  readonly frozen?: boolean | undefined;
  /** What the blocks that run again had changed is taken back first. */
  readonly restore?: boolean | undefined;
  /** What runs instead of its own text. */
  readonly workflow?: CheckedWorkflow | undefined;
  /** Take the place of its own, by name. */
  inputs?(plan: Plan): Result<ValueMap, readonly Diagnostic[]>;
  readonly trust: TrustedTexts;
  readonly startedBy?: string | undefined;
  /** As of `StartOptions`. */
  readonly traceParent?: string | undefined;
  /** Workers drive it, whoever drove the run before. */
  readonly queues?: boolean;
  /** Unless workers drive it, another process of this machine is to. */
  readonly detached?: boolean;
}

export interface Rerun {
  readonly runId: string;
  /** Absent where it is not driven here. */
  readonly run?: DrivenRun;
  /** Workers drive it. */
  readonly isQueued: boolean;
  /** Which texts are not those of the run before: names of workflows, or paths. */
  readonly changed: readonly string[];
  /** Inputs of the run before that there are no more. */
  readonly dropped: readonly string[];
  /** The run that took back what the blocks had changed that run again. */
  readonly restoredBy?: string;
  /** How the run before stands, if it has not ended: it stays so, and goes on if somebody answers or resumes it. */
  readonly left?: UnendedStatus;
}

export type UnendedStatus = Exclude<RunStatus, "success" | "failure" | "running">;

export interface ForeseenRerun extends Omit<Rerun, keyof BegunRerun> {
  readonly dryRun: DryRun;
}

/**
 * A new run that repeats another one with what its files say now, and takes over results that would be the same. Files are as they are
 * now, not as they were then.
 */
export async function rerunRun(
  runtime: Runtime,
  runId: string,
  options: RerunOptions & RunListener,
): Promise<Result<Rerun, readonly Diagnostic[]>> {
  const planned = await planRerun(runtime, runId, options, options.restore === true);
  if (!planned.ok) return planned;
  const { plan, start, state, ...told } = planned.value;
  const { onEvents, onOutput } = options;
  const restored = options.restore ? await restore(runtime, planned.value) : ok(undefined);
  if (!restored.ok) return restored;
  const begun = await begin(runtime, plan, { ...start, onEvents, onOutput }, options.detached === true);
  if (!begun.ok) return err(explainStart(asRefused(begun.error)));
  const { definitions, ...made } = begun.value;
  const restoredBy = restored.value;
  return ok({ ...made, changed: changedTexts(state, definitions), ...told, ...defined({ restoredBy }) });
}

interface BegunRerun extends Pick<Rerun, "runId" | "run" | "isQueued"> {
  readonly definitions: RunStarted["definitions"];
}

async function begin(
  runtime: Runtime,
  plan: Plan,
  start: StartOptions,
  isDetached: boolean,
): Promise<Result<BegunRerun, StartProblem>> {
  const { queue } = start;
  if (queue === undefined && isDetached) {
    const recorded = await recordRun(runtime, plan, start);
    if (!recorded.ok) return recorded;
    const { runId, definitions } = recorded.value.started;
    return ok({ runId, definitions, isQueued: false });
  }
  if (queue === undefined) {
    const run = await startRun(runtime, plan, start);
    if (!run.ok) return run;
    const { runId, definitions } = run.value.started;
    return ok({ runId, run: run.value, definitions, isQueued: false });
  }
  const runId = await queueRun(runtime, plan, { ...start, queue });
  if (!runId.ok) return runId;
  const [started] = await (await runtime.platform.journal()).read(runId.value);
  return ok({ runId: runId.value, definitions: (started as RunStarted).definitions, isQueued: true });
}

async function restore(
  runtime: Runtime,
  { plan, start }: PlannedRerun,
): Promise<Result<string | undefined, readonly Diagnostic[]>> {
  const { signal } = new AbortController();
  const foreseen = await foreseeRun(runtime, plan, { ...start, signal });
  if (!foreseen.ok) return err(explainStart(asRefused(foreseen.error)));
  return restoreForRerun(runtime, start.rerun.before, foreseen.value.state);
}

/** What the same would do, without doing it. */
export async function foreseeRerun(
  runtime: Runtime,
  runId: string,
  options: RerunOptions & { readonly signal: AbortSignal },
): Promise<Result<ForeseenRerun, readonly Diagnostic[]>> {
  const planned = await planRerun(runtime, runId, options, true);
  if (!planned.ok) return planned;
  const { plan, start, state, ...told } = planned.value;
  const foreseen = await foreseeRun(runtime, plan, { ...start, signal: options.signal });
  if (!foreseen.ok) return err(explainStart(asRefused(foreseen.error)));
  const { definitions } = foreseen.value.state.started;
  return ok({ dryRun: foreseen.value, changed: changedTexts(state, definitions), ...told });
}

function asRefused(problem: StartProblem): RefusedStart {
  if (problem.kind === "exists") throw new Error("A run without an idempotency key is always new.");
  return problem;
}

interface PlannedRerun extends Pick<Rerun, "dropped" | "left"> {
  readonly plan: Plan;
  readonly start: Omit<StartOptions, keyof RunListener> & Required<Pick<StartOptions, "rerun">>;
  /** Of the run before. */
  readonly state: RunState;
}

/** `needsFiles`: what lies in its workspace is looked at here. */
async function planRerun(
  runtime: Runtime,
  runId: string,
  options: RerunOptions,
  needsFiles: boolean,
): Promise<Result<PlannedRerun, readonly Diagnostic[]>> {
  const before = await findBefore(runtime, runId);
  if (!before.ok) return err([before.error]);
  const { state, left, summary } = before.value;
  const { platform } = runtime;
  const unreachable = refuseUnreachable(summary, runtime);
  if (unreachable !== undefined) return err([unreachable]);
  const elsewhere = refuseElsewhere(summary, platform.host);
  const isQueued = summary.queue !== null || options.queues === true;
  if (elsewhere !== undefined && (needsFiles || !isQueued)) return err([elsewhere]);
  const { started } = state;
  const chosen = chooseText(runtime, state, options);
  if (!chosen.ok) return chosen;
  const { plan, isFrozen } = chosen.value;
  const made = before.value.events.find((event) => event.type === "workspace-made");
  // One that reuses nothing needs nothing of what was made for the run before, whose machine may be gone.
  const isAnew = made !== undefined && options.all === true && !needsFiles;
  const queue = isAnew ? queueOf(plan.definition, platform.host) : queueAfter(summary, platform.host);
  const planOf = (key: string): Plan | undefined => (isFrozen ? frozenPlan(state, key) : runtime.workflows.planOf(key));
  const from = options.from === undefined ? ok(undefined) : findFrom(options.from, state, plan, planOf);
  if (!from.ok) return err([from.error]);
  const asked = options.inputs?.(plan) ?? ok({});
  if (!asked.ok) return asked;
  const { given, defaults, dropped } = inputsFor(plan, state, asked.value);
  const { frozen } = options;
  const rule = { ...defined({ from: from.value }), ...(frozen ? { frozen } : {}) };
  const changedFiles = options.all || elsewhere ? 0 : await countChanged(state, platform);
  const reuse = options.all ? undefined : { ...rule, ...(changedFiles === 0 ? {} : { changedFiles }) };
  const start = {
    inputs: given,
    workspace: summary.workspace,
    ...defined({
      worksIn: made === undefined || isAnew ? undefined : madeAt(made),
      sandbox: started.sandbox,
      observe: started.observe,
      budget: started.budget,
      maxParallel: askedParallel(state),
      startedBy: options.startedBy,
      traceParent: options.traceParent,
      queue: isQueued ? queue : undefined,
    }),
    rerun: { before: before.value, isFrozen, defaults, ...defined({ reuse }) },
  };
  return ok({ plan, start, state, dropped, ...defined({ left }) });
}

function madeAt({ workspace, host, commit }: WorkspaceMade): MadeFor {
  return { workspace, host, ...defined({ commit }) };
}

/** How many files have changed since the first of the runs whose results may be reused. */
async function countChanged(state: RunState, platform: Platform): Promise<number> {
  const ends = [...state.nodes.values()].map(({ origin }) => origin?.runEndedAt ?? state.latest);
  const [since = state.latest] = ends.sort();
  const texts = Object.values(state.started.definitions).map(({ file }) => file);
  return platform.countChangedFiles(state.started.workspace, new Date(since), texts);
}

async function findBefore(
  { platform, workflows }: Runtime,
  runId: string,
): Promise<Result<RestoredRun & Pick<Rerun, "left"> & { readonly summary: RunSummary }, Problem>> {
  const found = await findRun(platform, runId);
  if (!found.ok) return found;
  const status = statusOf(found.value, platform);
  if (status === "running" || status === "queued") {
    const running = problem("still-running", `${runId} is still ${status}: a rerun begins with what has ended.`);
    return err({ ...running, advice: { kind: "end-run", runId } });
  }
  const restored = await restoreRun(platform, workflows.catalog, found.value);
  if (!restored.ok) return restored;
  const before = { ...restored.value, summary: found.value };
  return ok(status === "success" || status === "failure" ? before : { ...before, left: status });
}

/** What is to be run, and whether it is what the run before has frozen. */
function chooseText(
  { workflows }: Runtime,
  state: RunState,
  options: RerunOptions,
): Result<{ readonly plan: Plan; readonly isFrozen: boolean }, readonly Diagnostic[]> {
  const current = options.workflow ?? (options.frozen ? undefined : findCurrent(workflows, state, options.trust));
  if (current !== undefined) {
    const { plan, diagnostics } = current;
    return plan === undefined ? err(diagnostics) : ok({ plan, isFrozen: false });
  }
  const refused = refuseForbidden(state, workflows.catalog, workflows.rules);
  if (refused !== undefined) return err([refused]);
  const { key, workflow } = state.started;
  const plan = state.plans(key ?? workflow);
  return plan.ok ? ok({ plan: plan.value, isFrozen: true }) : err([problem("unreadable-run", plan.error)]);
}

function frozenPlan({ plans }: RunState, key: string): Plan | undefined {
  const plan = plans(key);
  return plan.ok ? plan.value : undefined;
}

interface RerunInputs {
  readonly given: ValueMap;
  /** What nobody gave, where the default still says the same: it may hold what only the run before knew. */
  readonly defaults: ValueMap;
  readonly dropped: readonly string[];
}

function inputsFor({ definition }: Plan, { started, plans }: RunState, asked: ValueMap): RerunInputs {
  const before = plans(started.key ?? started.workflow);
  const given: Record<string, ValueMap[string]> = {};
  const defaults: Record<string, ValueMap[string]> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(started.inputs)) {
    const declared = definition.inputs.get(name);
    const wasGiven = !started.defaulted?.includes(name);
    if (declared === undefined) {
      if (wasGiven) dropped.push(name);
      continue;
    }
    if (wasGiven) given[name] = value;
    else if (before.ok && isSameDefault(before.value, definition.inputs, name)) defaults[name] = value;
  }
  return { given: { ...given, ...asked }, defaults, dropped };
}

function isSameDefault({ definition }: Plan, inputs: Plan["definition"]["inputs"], name: string): boolean {
  const [one, other] = [definition.inputs, inputs].map((all) => all.get(name)?.default);
  if (one?.kind === "literal" && other?.kind === "literal") return isDeepStrictEqual(one.value, other.value);
  return one?.kind === "text" && other?.kind === "text" && one.text.text === other.text.text;
}

/** What was asked for when the run before was started, if it is not what the workflow says. */
function askedParallel({ started, plans }: RunState): number | undefined {
  const before = plans(started.key ?? started.workflow);
  const own = (before.ok ? before.value.definition.maxParallel : undefined) ?? defaultMaxParallel;
  return started.maxParallel === own ? undefined : started.maxParallel;
}

function changedTexts({ definitions: before }: RunState, now: Readonly<Record<string, FrozenDefinition>>): string[] {
  return Object.entries(now)
    .filter(([key, { text }]) => before.get(key)?.text !== text)
    .map(([key, { file }]) => (before.has(key) ? file : nameOfKey(key)));
}
