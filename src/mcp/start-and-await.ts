import type { Advice } from "../diagnostic/advice.ts";
import { problem } from "../diagnostic/problem.ts";
import { toValue, type ValueMap } from "../expression/value.ts";
import type { CheckedWorkflow } from "../library/workflows.ts";
import { explainStart } from "../runs/explain-start.ts";
import { Audience } from "../runs/run-host.ts";
import type { Runtime } from "../runs/runtime.ts";
import { type StartProblem, startRun } from "../runs/start-run.ts";
import { defined } from "../util/defined.ts";
import { awaitRun, refuseWhenClosing } from "./await-run.ts";
import { type Call, starterOf } from "./call.ts";
import { describeChoice } from "./describe-library.ts";
import { refuse, refuseWith, type ToolReply, type Waiting } from "./reply.ts";
import type { ServerContext } from "./server-context.ts";

export interface StartRequest {
  readonly runtime: Runtime;
  readonly checked: CheckedWorkflow;
  readonly inputs: unknown;
  readonly workspace: string;
  readonly idempotencyKey?: string | undefined;
}

type Plan = NonNullable<CheckedWorkflow["plan"]>;

/** A workflow that has a name here can be looked at; an inline one is before the caller's eyes. */
export function adviseOnStart(
  { kind }: StartProblem,
  { definition: { name, source } }: Plan,
  runtime: Runtime,
): Advice | undefined {
  const isNamed = runtime.workflows.library.find(name)?.file === source.name;
  return kind === "inputs" && isNamed ? { kind: "see-inputs", workflow: name } : undefined;
}

/** Starts a run that this server drives, and waits for it. */
export async function startAndAwait(
  start: StartRequest,
  waiting: Waiting,
  call: Call,
  context: ServerContext,
): Promise<ToolReply> {
  const { runtime, checked, workspace, idempotencyKey } = start;
  const { plan, diagnostics } = checked;
  if (plan === undefined) return refuse(...diagnostics);
  const closing = refuseWhenClosing(context);
  if (!closing.ok) return refuse(closing.error);
  const inputs = toValue(start.inputs);
  if (!inputs.ok) return refuse(problem("bad-inputs", `The inputs can't be used: ${inputs.error}`));
  const audience = new Audience();
  const run = await startRun(runtime, plan, {
    inputs: inputs.value as ValueMap,
    workspace,
    startedBy: starterOf(call),
    ...defined({ idempotencyKey }),
    onEvents: (events) => audience.onEvents(events),
    onOutput: () => {},
  });
  if (run.ok) {
    context.host.take(run.value, audience);
    const reply = await awaitRun(run.value.runId, waiting, call, context);
    return reply.kind === "result" ? { ...reply, data: { ...reply.data, ...describeChoice(diagnostics) } } : reply;
  }
  return run.error.kind === "exists"
    ? awaitRun(run.error.runId, waiting, call, context)
    : refuseWith(explainStart(run.error), adviseOnStart(run.error, plan, runtime));
}
