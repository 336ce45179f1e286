import { createHash } from "node:crypto";
import type { SandboxLimits } from "../block/sandbox.ts";
import { languageVersion } from "../definition/language-version.ts";
import { emptyMap } from "../definition/value-template.ts";
import type { Problem } from "../diagnostic/problem.ts";
import { bindInputs, type InputProblem, refuseSecretInputs } from "../engine/bind-inputs.ts";
import type { ReuseRule, RunBudget, RunQueue, RunStarted, UndoneScope, WorkspaceMade } from "../engine/events.ts";
import { newRunId } from "../engine/ids.ts";
import { defaultMaxParallel } from "../engine/limits.ts";
import { createPlanSource } from "../engine/plan-source.ts";
import { foreseenMetadata, startMetadata } from "../engine/start-metadata.ts";
import { applyEvent, createState, type PlanSource } from "../engine/state.ts";
import { isMap, type Value, type ValueMap } from "../expression/value.ts";
import { type Created, firstFence, type Idempotency } from "../journal/journal.ts";
import { refuseCommands } from "../library/engine-rules.ts";
import { findLate, freezeDefinitions } from "../library/freeze-definitions.ts";
import { secretsNeededBy } from "../library/needed-secrets.ts";
import type { Workflows } from "../library/workflows.ts";
import type { Plan } from "../plan/plan.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { parseTraceParent, writeTraceParent } from "../util/trace-parent.ts";
import { chooseWorkspace } from "./choose-workspace.ts";
import { compareRuns } from "./compare-runs.ts";
import { DrivenRun, type RunListener } from "./driven-run.ts";
import { enqueueIfWaiting } from "./enqueue-run.ts";
import type { Platform } from "./platform.ts";
import type { RestoredRun } from "./read-run.ts";
import { budgetOf } from "./run-budget.ts";
import type { Runtime } from "./runtime.ts";

export interface StartOptions extends RunListener {
  readonly inputs: ValueMap;
  /** A real path: where it belongs, and works unless something else is said. */
  readonly workspace: string;
  /** The workspace that was made for the run which this one repeats or takes back. */
  readonly worksIn?: MadeFor | undefined;
  readonly maxParallel?: number;
  /** For every command of the run, whatever the workflow says. */
  readonly sandbox?: SandboxLimits;
  /** What every command changes is looked for, so that it can be taken back. */
  readonly observe?: true;
  /** Beside that of the workflow. */
  readonly budget?: RunBudget;
  /** The same key for the same workflow in the same workspace is the same run. */
  readonly idempotencyKey?: string;
  /** Who starts it, for people; of what may be long or hold anything, the beginning as one line. */
  readonly startedBy?: string | undefined;
  /** The run that this one repeats, and which of its results are taken. */
  readonly rerun?: Rerun;
  /** The run that this one takes back, or a part of it. */
  readonly undoOf?: UndoneScope | undefined;
  /** The span of whoever starts it, as W3C Trace Context writes it; what is none is ignored. */
  readonly traceParent?: string | undefined;
  /** Where somebody has said already which run it will be. */
  readonly runId?: string;
  /** Which workers drive it. */
  readonly queue?: RunQueue | undefined;
}

export type MadeFor = Pick<WorkspaceMade, "workspace" | "host" | "commit">;

/** Of a run that workers drive. */
export interface QueueOptions extends Omit<StartOptions, keyof RunListener> {
  readonly queue: RunQueue;
}

export interface Rerun {
  readonly before: RestoredRun;
  /** Without it, everything runs again. */
  readonly reuse?: ReuseRule;
  /** Its texts are taken, whatever the files say now. */
  readonly isFrozen?: boolean;
  /** What inputs that nobody gives were there, where their default is still the same. */
  readonly defaults: ValueMap;
}

export type StartProblem =
  | { readonly kind: "inputs"; readonly problems: readonly InputProblem[] }
  /** Secrets that it can't do without are missing, or can't be used. */
  | { readonly kind: "secrets"; readonly problems: readonly string[] }
  /** The idempotency key belongs to a run already. */
  | { readonly kind: "exists"; readonly runId: string }
  /** The same, but of that run with other inputs or another definition. */
  | { readonly kind: "key-taken"; readonly runId: string }
  /** The rules of the engine forbid it. */
  | { readonly kind: "forbidden"; readonly problem: Problem };

/** How a run would begin. Nothing has happened yet. */
export interface PreparedStart {
  readonly started: RunStarted;
  /** Follows that, where it works in a workspace that is there already. */
  readonly made?: WorkspaceMade;
  readonly plans: PlanSource;
}

/** Binds the inputs, and finds all the texts that are known to be needed. For a dry run what only a run has is left open. */
export function prepareStart(
  runtime: Runtime,
  plan: Plan,
  options: Omit<StartOptions, keyof RunListener>,
  isDry: boolean,
): Result<PreparedStart, StartProblem> {
  const { platform, workflows } = runtime;
  const { definition } = plan;
  const forbidden = refuseCommands(definition, (name) => workflows.callable(name), workflows.rules, options);
  if (forbidden !== undefined) return err({ kind: "forbidden", problem: forbidden });
  const now = platform.clock.now();
  const { runId = newRunId(now) } = options;
  const at = now.toISOString();
  const refused = refuseSecretInputs(definition, options.inputs);
  const metadata = isDry ? foreseenMetadata(definition.name) : startMetadata(definition.name, runId, at);
  const bound = bindInputs(definition, options.inputs, metadata);
  if (!bound.ok || refused.length > 0) {
    const others = bound.ok ? [] : bound.error.filter(({ input }) => refused.every((secret) => secret.input !== input));
    return err({ kind: "inputs", problems: [...refused, ...others] });
  }
  const { rerun } = options;
  const {
    key: rootKey,
    file,
    definitions,
    plans,
  } = rerun?.isFrozen ? frozenTexts(rerun.before) : freezeTexts(plan, workflows, rerun?.before);
  const defaulted = [...definition.inputs.keys()].filter((name) => (options.inputs[name] ?? null) === null);
  const kept = Object.fromEntries(Object.entries(rerun?.defaults ?? {}).filter(([name]) => defaulted.includes(name)));
  const runInputs: ValueMap = Object.assign(emptyMap(), bound.value, kept);
  // What belongs to a machine works with the files that are there.
  const isAnywhere = !isDry && options.queue !== undefined && options.queue.host === undefined;
  const workspaceFrom = isAnywhere ? chooseWorkspace(definition, runInputs, options.workspace) : ok(undefined);
  if (!workspaceFrom.ok) return err({ kind: "inputs", problems: workspaceFrom.error });
  const started: RunStarted = {
    type: "run-started",
    at,
    runId,
    workflow: definition.name,
    ...(rootKey === definition.name ? {} : { key: rootKey }),
    ...defined({ file }),
    languageVersion,
    definitions,
    inputs: runInputs,
    ...(defaulted.length === 0 ? {} : { defaulted }),
    workspace: options.workspace,
    maxParallel: options.maxParallel ?? definition.maxParallel ?? defaultMaxParallel,
    maxDepth: runtime.maxDepth,
    ...defined({
      sandbox: options.sandbox,
      budget: budgetOf(options.budget, definition, runtime, options.undoOf !== undefined),
      // What may have to be taken back has to be seen.
      observe: options.observe ?? (options.budget?.onExceeded === "rollback" ? true : undefined),
      startedBy: options.startedBy === undefined ? undefined : oneLine(options.startedBy),
      rerunOf: rerun?.before.state.started.runId,
      reuse: rerun?.reuse,
      undoOf: options.undoOf,
      traceParent: traceParentOf(options.traceParent),
      rerunTrace: parseTraceParent(rerun?.before.state.started.traceParent)?.traceId,
      queue: options.queue,
      // Where only one machine uses the journal its name may change, and counts for nothing.
      host: options.queue === undefined && platform.dispatch !== undefined ? platform.host : undefined,
      workspaceFrom: workspaceFrom.value,
    }),
  };
  const { worksIn } = options;
  return ok({ started, plans, ...(worksIn && { made: { type: "workspace-made", at, ...worksIn } }) });
}

/** Only what others can read, in the form in which they expect it. */
function traceParentOf(text: string | undefined): string | undefined {
  const parent = parseTraceParent(text);
  return parent === undefined ? undefined : writeTraceParent(parent);
}

const longestName = 200;

function oneLine(name: string): string {
  return name
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, longestName);
}

/**
 * Binds the inputs and makes a run, durable and ready to be driven; nothing has happened when this fails. What it begins with is on record
 * in the same commit.
 */
export async function startRun(
  runtime: Runtime,
  plan: Plan,
  options: StartOptions,
): Promise<Result<DrivenRun, StartProblem>> {
  const { platform } = runtime;
  const prepared = prepareHere(runtime, plan, options);
  if (!prepared.ok) return prepared;
  const { started, made, plans } = prepared.value;
  const state = createState(started, plans);
  if (made !== undefined) applyEvent(state, made);
  const { rerun } = options;
  const reuse = rerun?.reuse && (await compareRuns(rerun.before, state, platform, runtime.workflows.catalog));
  const held = {
    journal: await platform.journal(),
    state,
    past: eventsOf(prepared.value),
    fence: firstFence,
    creation: { owner: platform.owners.self, ...idempotencyOf(plan, options) },
    isResumed: false,
    ...defined({ reuse }),
  };
  const run = new DrivenRun(runtime, held, options);
  const created = await run.create();
  return created.kind === "created" ? ok(run) : err(explainTaken(created));
}

/** The same for another process of this machine to drive: the run is on record, and nobody has it. */
export async function recordRun(
  runtime: Runtime,
  plan: Plan,
  options: Omit<StartOptions, keyof RunListener>,
): Promise<Result<PreparedStart, StartProblem>> {
  const prepared = prepareHere(runtime, plan, options);
  if (!prepared.ok) return prepared;
  const created = await createRun(plan, prepared.value, options, runtime.platform);
  return created.ok ? prepared : created;
}

function prepareHere(
  runtime: Runtime,
  plan: Plan,
  options: Omit<StartOptions, keyof RunListener>,
): Result<PreparedStart, StartProblem> {
  const prepared = prepareStart(runtime, plan, options, false);
  if (!prepared.ok) return prepared;
  const missing = findMissingSecrets(plan, prepared.value.plans, runtime.platform);
  return missing.length > 0 ? err({ kind: "secrets", problems: missing }) : prepared;
}

/**
 * The same for a run that workers drive: durable, and handed to them. The secrets that it needs are those of the worker that takes it,
 * and so is the look at what it can reuse.
 */
export async function queueRun(
  runtime: Runtime,
  plan: Plan,
  options: QueueOptions,
): Promise<Result<string, StartProblem>> {
  const { platform } = runtime;
  const prepared = prepareStart(runtime, plan, options, false);
  if (!prepared.ok) return prepared;
  const { started } = prepared.value;
  const created = await createRun(plan, prepared.value, options, platform);
  // Whoever made it before may have died before it was handed over.
  if (created.ok) await enqueueIfWaiting(platform, started.runId);
  else if (created.error.kind === "exists") await enqueueIfWaiting(platform, created.error.runId);
  return created.ok ? ok(started.runId) : created;
}

/** What a workflow can't do without, and is not here: why, for each. */
export function findMissingSecrets(plan: Plan, plans: PlanSource, { secrets }: Platform): string[] {
  return secretsNeededBy(plan, plans).flatMap((name) => {
    const secret = secrets.find(name);
    return secret.ok ? [] : [secret.error];
  });
}

function eventsOf({ started, made }: PreparedStart): [RunStarted, ...WorkspaceMade[]] {
  return made === undefined ? [started] : [started, made];
}

/** For whoever will take it. */
async function createRun(
  plan: Plan,
  prepared: PreparedStart,
  options: Omit<StartOptions, keyof RunListener>,
  platform: Platform,
): Promise<Result<void, StartProblem>> {
  const journal = await platform.journal();
  const created = await journal.create({ events: eventsOf(prepared), ...idempotencyOf(plan, options) });
  return created.kind === "created" ? ok(undefined) : err(explainTaken(created));
}

function idempotencyOf(
  { definition }: Plan,
  options: Omit<StartOptions, keyof RunListener>,
): { readonly idempotency?: Idempotency } {
  const { idempotencyKey: key } = options;
  return key === undefined ? {} : { idempotency: { key, fingerprint: fingerprint(definition.source.text, options) } };
}

function explainTaken({ runId, sameFingerprint }: Extract<Created, { kind: "exists" }>): StartProblem {
  return { kind: sameFingerprint ? "exists" : "key-taken", runId };
}

/** What a run is made of: texts that never change again. */
interface RunTexts extends Pick<RunStarted, "definitions" | "file"> {
  readonly key: string;
  readonly plans: PlanSource;
}

/** With what the run before called only later: a person who answers again, or does not have to, answers for that too. */
function freezeTexts(plan: Plan, workflows: Workflows, before: RestoredRun | undefined): RunTexts {
  const { definition } = plan;
  const key = workflows.rootKey(definition.source, definition);
  const definitions = freezeDefinitions(definition, key, workflows);
  for (const called of before === undefined ? [] : calledBy(before)) {
    const late = Object.hasOwn(definitions, called) ? undefined : findLate(workflows, called);
    if (late?.ok) definitions[called] = late.value;
  }
  const known = new Map([[key, plan]]);
  for (const called of Object.keys(definitions)) {
    const planned = called === key ? undefined : workflows.planOf(called);
    if (planned !== undefined) known.set(called, planned);
  }
  const plans = createPlanSource(definitions, workflows.catalog, { plans: known });
  return { key, definitions, plans, ...defined({ file: definition.source.file }) };
}

function calledBy({ state: { definitions, started } }: RestoredRun): string[] {
  return [...definitions.keys()].filter((key) => key !== (started.key ?? started.workflow));
}

/** Those of a run before, with what it called later. */
function frozenTexts({ state }: RestoredRun): RunTexts {
  const { key, workflow, file } = state.started;
  const definitions = Object.fromEntries(state.definitions);
  return { key: key ?? workflow, definitions, plans: state.plans, ...defined({ file }) };
}

/** Of what was asked for, not of what was bound: defaults may hold the run's own id or time. */
function fingerprint(text: string, { inputs, sandbox }: Pick<StartOptions, "inputs" | "sandbox">): string {
  const hash = createHash("sha256").update(text).update("\0").update(JSON.stringify(inputs, inOrder));
  if (sandbox !== undefined) hash.update("\0").update(JSON.stringify(sandbox));
  return hash.digest("hex");
}

/** The same values are the same text, in whatever order their keys were given. */
function inOrder(_key: string, value: Value): Value {
  return isMap(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}
