import type { CheckedWorkflow, Workflows } from "../../library/workflows.ts";
import { inSlices } from "../../util/time-slice.ts";
import type { Call } from "../call.ts";
import { foresee } from "../foresee.ts";
import { chooseWorkspace } from "../reach-run.ts";
import { refuse, type ToolReply } from "../reply.ts";
import type { ServerContext } from "../server-context.ts";
import { startAndAwait } from "../start-and-await.ts";
import { waitingOf } from "./parameters.ts";

/** What a tool that starts a run is given beside the workflow. */
export type StartArguments = Parameters<typeof waitingOf>[0] & {
  readonly inputs: unknown;
  readonly idempotency_key?: string | undefined;
  readonly workspace?: string | undefined;
  readonly dry_run?: boolean | undefined;
};

/** Starts a workflow that is found in the library of the workspace asked for, and waits as long as asked for. */
export async function startAsAsked(
  args: StartArguments,
  find: (workflows: Workflows, workspace: string) => Generator<void, CheckedWorkflow>,
  call: Call,
  context: ServerContext,
): Promise<ToolReply> {
  const directory = chooseWorkspace(args.workspace, context);
  if (!directory.ok) return refuse(directory.error);
  const workspace = directory.value;
  const runtime = context.openRuntime(workspace);
  const checked = await inSlices(find(runtime.workflows, workspace));
  const { inputs, idempotency_key: idempotencyKey } = args;
  const request = { runtime, checked, inputs, workspace, idempotencyKey };
  return args.dry_run
    ? foresee(request, waitingOf(args), call)
    : startAndAwait(request, waitingOf(args), call, context);
}
