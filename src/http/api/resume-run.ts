import * as z from "zod";
import { refuseWhenClosing } from "../../mcp/await-run.ts";
import { driveHere } from "../../mcp/drive-here.ts";
import { reachRun } from "../../mcp/reach-run.ts";
import { seeAddress } from "../../mcp/see-block.ts";
import { continueRun } from "../../runs/continue-run.ts";
import { defined } from "../../util/defined.ts";
import { ok } from "../../util/result.ts";
import { foreseeResume } from "../../views/page/act-forecasts.ts";
import { describeLevel } from "../../views/page/level.ts";
import { defineRoute, type Route } from "../route.ts";
import { runStatus, runStatusSchema } from "./run-status.ts";

const path = "/runs/:run/resume";

export const foreseeResumeRoute: Route = defineRoute({
  method: "GET",
  path,
  summary: "What going on with a run means. Nothing is started.",
  effect: "reads",
  gives: () =>
    z.object({
      says: z.string(),
      rules: z
        .array(z.tuple([z.string(), z.string()]))
        .describe("What can become of blocks whose process ended, as `on_interrupted` takes it, each with its words"),
    }),
  async answer({ params }, context) {
    const seen = await seeAddress(params, context);
    if (!seen.ok) return seen;
    const { picture, place, now } = seen.value;
    return ok(foreseeResume(describeLevel(picture, place, "", now).head));
  },
});

export const resumeRunRoute: Route = defineRoute({
  method: "POST",
  path,
  summary: "Goes on with a run that is interrupted or sleeps.",
  description: "A run that waits for an answer alone stays as it is: answer its question.",
  effect: "acts",
  body: () =>
    z.strictObject({
      on_interrupted: z
        .enum(["rerun", "ask", "fail"])
        .optional()
        .describe("What becomes of blocks whose process ended; else each block says so itself"),
    }),
  gives: runStatusSchema,
  async answer({ params, body }, context) {
    const closing = refuseWhenClosing(context);
    if (!closing.ok) return closing;
    const run = await reachRun(params.run ?? "", context);
    if (!run.ok) return run;
    const { runId, workspace } = run.value;
    const options = defined({ onInterrupted: body.on_interrupted });
    const continued = await driveHere(
      context,
      (listener) => continueRun(context.openRuntime(workspace), runId, { ...listener, ...options }),
      (driven) => driven,
    );
    return continued.ok ? runStatus(runId, context) : continued;
  },
});
