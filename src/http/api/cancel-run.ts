import * as z from "zod";
import { cancelHere } from "../../mcp/cancel-here.ts";
import { reachRun } from "../../mcp/reach-run.ts";
import { seeAddress } from "../../mcp/see-block.ts";
import { cancelRun } from "../../runs/cancel-run.ts";
import { endedAlready } from "../../runs/take-over.ts";
import { err, ok } from "../../util/result.ts";
import { foreseeCancel } from "../../views/page/act-forecasts.ts";
import { describeLevel } from "../../views/page/level.ts";
import { defineRoute, type Route } from "../route.ts";
import { runStatus, runStatusSchema } from "./run-status.ts";

/** The stream of the run tells the rest: what is under `finally` may take long. */
const patienceMs = 2_000;

const path = "/runs/:run/cancel";

export const foreseeCancelRoute: Route = defineRoute({
  method: "GET",
  path,
  summary: "What a cancel would stop. Nothing is stopped.",
  effect: "reads",
  gives: () =>
    z.object({
      stops: z.array(z.object({ address: z.string(), name: z.string(), standing: z.string() })),
      more: z.number().int().describe("So many more are stopped"),
      says: z.string(),
    }),
  async answer({ params }, context) {
    const seen = await seeAddress(params, context);
    return seen.ok ? ok(foreseeCancel(describeLevel(seen.value.picture, seen.value.place, "", seen.value.now))) : seen;
  },
});

export const cancelRunRoute: Route = defineRoute({
  method: "POST",
  path,
  summary: "Ends a run early, whichever process drives it.",
  description:
    "Running blocks are stopped, and what they changed stays. `finally` still runs; a second request ends that, too. The status is `running` while it does.",
  effect: "acts",
  gives: runStatusSchema,
  async answer({ params, visitor, signal }, context) {
    const run = await reachRun(params.run ?? "", context);
    if (!run.ok) return run;
    const { runId, workspace } = run.value;
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    const how = { ...cancelHere(context, patience), by: visitor.name };
    const cancelled = await cancelRun(context.openRuntime(workspace), runId, how);
    if (!cancelled.ok) return cancelled;
    if (cancelled.value === "ended-before") return err(endedAlready(runId));
    if (cancelled.value === "posted") await context.host.wait(runId, patienceMs, signal);
    return runStatus(runId, context);
  },
});
