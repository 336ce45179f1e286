import * as z from "zod";
import { problem } from "../../diagnostic/problem.ts";
import { findInWorkspace } from "../../library/find-in-workspace.ts";
import { chooseWorkspace } from "../../mcp/reach-run.ts";
import type { ServerContext } from "../../mcp/server-context.ts";
import { foreseeHere, startHere } from "../../mcp/start-here.ts";
import { ok } from "../../util/result.ts";
import { inSlices } from "../../util/time-slice.ts";
import { sayForecast } from "../../views/page/say-forecast.ts";
import { defineRoute, type Route, refuseFor } from "../route.ts";
import { checkText } from "./check-text.ts";
import { runMade, runMadeSchema } from "./run-made.ts";

export const startRunRoute: Route = defineRoute({
  method: "POST",
  path: "/runs",
  summary: "Starts a workflow of the library, or one that is given as text.",
  description:
    "Answers 201 with the run's id as soon as the run is durable; the server drives it. With `dry_run`, answers what it would do.",
  effect: "acts",
  body: () =>
    z.strictObject({
      workflow: z.string().min(1).optional().describe("Name of a workflow, or the path of its file"),
      workflow_yaml: z.string().min(1).optional().describe("The text of one instead, where the server allows that"),
      inputs: z.record(z.string(), z.unknown()).default({}).describe("By name"),
      budget_usd: z.number().positive().optional().describe("What the run may cost at most"),
      dry_run: z.boolean().default(false).describe("Only tell what would run and change"),
      workspace: z.string().min(1).optional().describe("Directory to work in; the server's own unless told"),
    }),
  gives: () => z.union([runMadeSchema(), z.looseObject({ status: z.literal("dry_run") })]),
  async answer({ body, visitor, signal, traceParent }, context) {
    const { workflow, workflow_yaml: text, inputs, budget_usd: maxCostUsd, dry_run: isDry } = body;
    if ((workflow === undefined) === (text === undefined)) {
      return refuseFor(problem("wrong-argument", "Give one of `workflow` and `workflow_yaml`."));
    }
    if (text !== undefined && !context.settings.allowsInline) return refuseFor(noText);
    const directory = chooseWorkspace(body.workspace, context);
    if (!directory.ok) return directory;
    const workspace = directory.value;
    const runtime = context.openRuntime(workspace);
    const { workflows } = runtime;
    const found =
      text === undefined
        ? ok(await inSlices(findInWorkspace(workflow ?? "", "run", workspace, workflows)))
        : await checkText(text, workflows, context, signal);
    if (!found.ok) return found;
    const checked = found.value;
    const budget = maxCostUsd === undefined ? undefined : { maxCostUsd };
    const request = { runtime, checked, inputs, workspace, budget, traceParent };
    if (isDry) {
      const foreseen = await foreseeHere(request, signal);
      if (!foreseen.ok) return refuseFor(foreseen.error.problems);
      return ok({ ...foreseen.value, says: sayForecast(foreseen.value) });
    }
    const started = await startHere(request, visitor.name, context);
    return started.ok ? runMade(started.value) : refuseFor(started.error.problems);
  },
});

const noText = problem(
  "text-forbidden",
  "This server runs no workflow that is given as text: it was started with --no-inline.",
  "Run a workflow of the library instead.",
);

/** Whether texts may be run that lie in no library, because one may be sent as well. */
export function trustOf({ settings }: ServerContext): "library" | "library-and-frozen" {
  return settings.allowsInline ? "library-and-frozen" : "library";
}
