import type { Advice } from "../diagnostic/advice.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { problem } from "../diagnostic/problem.ts";
import type { RunBudget } from "../engine/events.ts";
import { toValue, type ValueMap } from "../expression/value.ts";
import type { CheckedWorkflow } from "../library/workflows.ts";
import { queueOf } from "../runs/choose-queue.ts";
import type { RunListener } from "../runs/driven-run.ts";
import { explainStart, type RefusedStart } from "../runs/explain-start.ts";
import { foreseeRun } from "../runs/foresee-run.ts";
import type { Runtime } from "../runs/runtime.ts";
import { queueRun, type StartOptions, type StartProblem, startRun } from "../runs/start-run.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { type DryRunResponse, describeDryRun } from "../views/dry-run.ts";
import { refuseWhenClosing } from "./await-run.ts";
import { driveHere } from "./drive-here.ts";
import type { ServerContext } from "./server-context.ts";

export interface StartRequest {
  readonly runtime: Runtime;
  readonly checked: CheckedWorkflow;
  readonly inputs: unknown;
  readonly workspace: string;
  readonly idempotencyKey?: string | undefined;
  readonly budget?: RunBudget | undefined;
  readonly traceParent?: string | undefined;
}

/** Why nothing was started: all that is wrong, and what to do where that is one thing for all of it. */
export interface StartRefusal {
  readonly problems: readonly Diagnostic[];
  readonly next?: Advice;
}

type Plan = NonNullable<CheckedWorkflow["plan"]>;

/** Starts a run that this server drives, or leaves to workers: its id, or that of the run that the key belongs to. It is durable by then. */
export async function startHere(
  request: StartRequest,
  startedBy: string,
  context: ServerContext,
): Promise<Result<string, StartRefusal>> {
  const { runtime, workspace, idempotencyKey, budget, traceParent } = request;
  const ready = readRequest(request);
  if (!ready.ok) return ready;
  const closing = refuseWhenClosing(context);
  if (!closing.ok) return err({ problems: [closing.error] });
  const { plan, inputs } = ready.value;
  const begin = { inputs, workspace, startedBy, ...defined({ idempotencyKey, budget, traceParent }) };
  const started = context.settings.queuesRuns
    ? await queueRun(runtime, plan, { ...begin, queue: queueOf(plan.definition, runtime.platform.host) })
    : await driveNew(runtime, plan, begin, context);
  if (started.ok) return started;
  return started.error.kind === "exists" ? ok(started.error.runId) : err(explain(started.error, plan, runtime));
}

async function driveNew(
  runtime: Runtime,
  plan: Plan,
  begin: Omit<StartOptions, keyof RunListener>,
  context: ServerContext,
): Promise<Result<string, StartProblem>> {
  const run = await driveHere(
    context,
    (listener) => startRun(runtime, plan, { ...begin, ...listener }),
    (started) => started,
  );
  return run.ok ? ok(run.value.runId) : run;
}

/** What it would do. */
export async function foreseeHere(
  request: StartRequest,
  signal: AbortSignal,
): Promise<Result<DryRunResponse, StartRefusal>> {
  const { runtime, workspace, budget } = request;
  const ready = readRequest(request);
  if (!ready.ok) return ready;
  const { plan, inputs } = ready.value;
  const foreseen = await foreseeRun(runtime, plan, { inputs, workspace, signal, ...defined({ budget }) });
  return foreseen.ok ? ok(describeDryRun(foreseen.value)) : err(explain(foreseen.error as RefusedStart, plan, runtime));
}

interface ReadyStart {
  readonly plan: Plan;
  readonly inputs: ValueMap;
}

function readRequest({ checked, inputs: given }: StartRequest): Result<ReadyStart, StartRefusal> {
  const { plan, diagnostics } = checked;
  if (plan === undefined) return err({ problems: diagnostics });
  const inputs = toValue(given);
  if (inputs.ok) return ok({ plan, inputs: inputs.value as ValueMap });
  return err({ problems: [problem("bad-inputs", `The inputs can't be used: ${inputs.error}`)] });
}

function explain(refused: RefusedStart, plan: Plan, runtime: Runtime): StartRefusal {
  return { problems: explainStart(refused), ...defined({ next: adviseOnStart(refused, plan, runtime) }) };
}

/** A workflow that has a name here can be looked at; an inline one is before the caller's eyes. */
function adviseOnStart(
  { kind }: StartProblem,
  { definition: { name, source } }: Plan,
  runtime: Runtime,
): Advice | undefined {
  const isNamed = runtime.workflows.library.find(name)?.file === source.name;
  return kind === "inputs" && isNamed ? { kind: "see-inputs", workflow: name } : undefined;
}
