import * as z from "zod";
import { type Problem, problem } from "../../diagnostic/problem.ts";
import { toValue, type ValueMap } from "../../expression/value.ts";
import { refuseWhenClosing } from "../../mcp/await-run.ts";
import { driveHere } from "../../mcp/drive-here.ts";
import { reachRun } from "../../mcp/reach-run.ts";
import type { ServerContext } from "../../mcp/server-context.ts";
import { foreseeRerun, type RerunOptions, rerunRun } from "../../runs/rerun-run.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { describeRerun } from "../../views/page/rerun-forecast.ts";
import { defineRoute, type Route } from "../route.ts";
import { runMade, runMadeSchema } from "./run-made.ts";
import { trustOf } from "./start-run.ts";

const path = "/runs/:run/rerun";
const from = z.string().min(1).optional().describe("Address of a block to run in any case, with what depends on it");
const changedInputs = z.record(z.string(), z.unknown());

export const foreseeRerunRoute: Route = defineRoute({
  method: "GET",
  path,
  summary: "What a rerun would reuse and run, and why. Nothing is started.",
  effect: "reads",
  query: () =>
    z.strictObject({
      from,
      all: z.stringbool().default(false).describe("`true`: reuse nothing"),
      inputs: z.string().default("{}").describe("Inputs to change, as a JSON map"),
    }),
  gives: () => z.looseObject({ blocks: z.array(z.looseObject({ address: z.string(), verdict: z.string() })) }),
  async answer({ params, query, signal, visitor }, context) {
    const inputs = readInputs(query.inputs);
    if (!inputs.ok) return inputs;
    const run = await reachRun(params.run ?? "", context);
    if (!run.ok) return run;
    const { runId, workspace } = run.value;
    const how = optionsFor({ ...query, inputs: inputs.value }, visitor.name, context);
    const foreseen = await foreseeRerun(context.openRuntime(workspace), runId, { ...how, signal });
    return foreseen.ok ? ok(describeRerun(foreseen.value)) : foreseen;
  },
});

export const rerunRunRoute: Route = defineRoute({
  method: "POST",
  path,
  summary: "Runs a run again as its workflow file says now; results that are still right are reused.",
  effect: "acts",
  body: () =>
    z.strictObject({
      from,
      all: z.boolean().default(false).describe("Reuse nothing"),
      inputs: changedInputs.default({}).describe("Inputs to change"),
    }),
  gives: runMadeSchema,
  async answer({ params, body, visitor, traceParent }, context) {
    const closing = refuseWhenClosing(context);
    if (!closing.ok) return closing;
    const run = await reachRun(params.run ?? "", context);
    if (!run.ok) return run;
    const { runId, workspace } = run.value;
    const how = optionsFor(body, visitor.name, context);
    const begun = await driveHere(
      context,
      (listener) => rerunRun(context.openRuntime(workspace), runId, { ...how, traceParent, ...listener }),
      ({ run: made }) => made,
    );
    return begun.ok ? runMade(begun.value.runId) : begun;
  },
});

function readInputs(text: string): Result<Readonly<Record<string, unknown>>, Problem> {
  try {
    const parsed = changedInputs.safeParse(JSON.parse(text));
    if (parsed.success) return ok(parsed.data);
  } catch {
    // Said below.
  }
  return err(problem("wrong-argument", "The parameter 'inputs' must be a JSON map."));
}

interface AskedRerun {
  readonly from?: string | undefined;
  readonly all: boolean;
  readonly inputs: Readonly<Record<string, unknown>>;
}

function optionsFor(asked: AskedRerun, startedBy: string, context: ServerContext): RerunOptions {
  return {
    from: asked.from,
    all: asked.all,
    inputs() {
      const inputs = toValue(asked.inputs);
      if (inputs.ok) return ok(inputs.value as ValueMap);
      return err([problem("bad-inputs", `The inputs can't be used: ${inputs.error}`)]);
    },
    trust: trustOf(context),
    startedBy,
    queues: context.settings.queuesRuns === true,
  };
}
