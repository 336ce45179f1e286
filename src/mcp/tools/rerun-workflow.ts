import * as z from "zod";
import { problem } from "../../diagnostic/problem.ts";
import { toValue, type ValueMap } from "../../expression/value.ts";
import { foreseeRerun, type Rerun, type RerunOptions, rerunRun } from "../../runs/rerun-run.ts";
import { err, ok } from "../../util/result.ts";
import { inSlices } from "../../util/time-slice.ts";
import { describeDryRun } from "../../views/dry-run.ts";
import { awaitRun, refuseWhenClosing } from "../await-run.ts";
import { starterOf } from "../call.ts";
import { callText } from "../call-text.ts";
import { driveHere } from "../drive-here.ts";
import { tell, unlessCancelled } from "../foresee.ts";
import { reachRun } from "../reach-run.ts";
import { refuse, withRemarks } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { inlineSource } from "./execute-inline-workflow.ts";
import { responseFormat, runSchema, waitingOf, waitSeconds } from "./parameters.ts";

const runParameters = {
  run_id: z.string().min(1),
  from: z.string().min(1).optional().describe("Block to run in any case, with what depends on it"),
  inputs: z.record(z.string(), z.unknown()).default({}).describe("Inputs to change"),
  all: z.boolean().default(false).describe("Reuse nothing"),
  plan: z.boolean().optional().describe("Only tell what would be reused and run"),
  response_format: responseFormat,
  wait_seconds: waitSeconds,
};

function defineRerun(takesText: boolean): Tool {
  return defineTool({
    name: "rerun_workflow",
    title: "Go on after a fix",
    description:
      "Runs a run again, as its workflow file says now: results that are still right are reused. Says what was, and why not. Next, while it runs: get_run.",
    toolset: "core",
    effect: "runs",
    repliesWithRun: true,
    outputSchema: runSchema,
    ...(takesText ? { takesText, withoutText: defineRerun(false) } : {}),
    parameters: () => {
      const workflow_yaml = z.string().min(1).optional().describe("Text to run instead of its file");
      return z.strictObject(takesText ? { ...runParameters, workflow_yaml } : runParameters);
    },
    async call(args, call, context) {
      const closing = refuseWhenClosing(context);
      if (!closing.ok) return refuse(closing.error);
      const found = await reachRun(args.run_id, context);
      if (!found.ok) return refuse(found.error);
      const { runId, workspace } = found.value;
      const runtime = context.openRuntime(workspace);
      const text = "workflow_yaml" in args ? args.workflow_yaml : undefined;
      const how: RerunOptions = {
        from: args.from,
        all: args.all,
        workflow:
          typeof text === "string"
            ? await inSlices(runtime.workflows.checkInSlices(inlineSource(text, runtime.workflows)))
            : undefined,
        inputs() {
          const inputs = toValue(args.inputs);
          if (inputs.ok) return ok(inputs.value as ValueMap);
          return err([problem("bad-inputs", `The inputs can't be used: ${inputs.error}`)]);
        },
        trust: takesText ? "library-and-frozen" : "library",
        startedBy: starterOf(call),
        queues: context.settings.queuesRuns === true,
      };
      const remarksOn = ({
        changed,
        dropped,
        left,
      }: Omit<Rerun, "runId" | "run" | "isQueued">): (string | undefined)[] => [
        changed.length === 0 ? undefined : `Changed since ${runId}: ${changed.join(", ")}.`,
        dropped.length === 0 ? undefined : `No longer an input: ${dropped.join(", ")}.`,
        left === undefined
          ? undefined
          : `${runId} is still ${left}: if it is no longer needed, call ${callText("cancel_run", { run_id: runId })}.`,
      ];
      if (args.plan) {
        return unlessCancelled(call, async () => {
          const foreseen = await foreseeRerun(runtime, runId, { ...how, signal: call.signal });
          if (!foreseen.ok) return refuse(...foreseen.error);
          const { dryRun } = foreseen.value;
          return withRemarks(remarksOn(foreseen.value), tell(describeDryRun(dryRun), "plan", args.response_format));
        });
      }
      const begun = await driveHere(
        context,
        (listener) => rerunRun(runtime, runId, { ...how, ...listener }),
        ({ run }) => run,
      );
      if (!begun.ok) return refuse(...begun.error);
      const reply = await awaitRun(begun.value.runId, waitingOf(args), call, context);
      return withRemarks(remarksOn(begun.value), reply);
    },
  });
}

export const rerunWorkflow: Tool = defineRerun(true);
