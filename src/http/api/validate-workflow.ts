import * as z from "zod";
import { allDiagnostics, isValid } from "../../library/validate-workflow.ts";
import { defined } from "../../util/defined.ts";
import { ok } from "../../util/result.ts";
import { inSlices } from "../../util/time-slice.ts";
import { marksOf } from "../../views/page/code-frames.ts";
import { sayChecked } from "../../views/page/say-workflows.ts";
import { describeFacts } from "../../views/page/workflow-facts.ts";
import { describeGraph } from "../../views/page/workflow-graph.ts";
import { describeProblems } from "../../views/page/workflow-lines.ts";
import type { WorkflowChecked } from "../../views/page/workflow-records.ts";
import { pageWords } from "../page-words.ts";
import { defineRoute, type Route } from "../route.ts";
import { checkText } from "./check-text.ts";

export const validateWorkflowRoute: Route = defineRoute({
  method: "POST",
  path: "/validate",
  summary:
    "Says everything that is wrong with the text of a workflow, and what a sound one is made of. Runs nothing of it.",
  effect: "reads",
  body: () =>
    z.strictObject({
      workflow_yaml: z.string(),
      thorough: z.boolean().default(true).describe("Also ask the shells for syntax errors, which takes longer"),
    }),
  gives: () =>
    z.looseObject({
      valid: z.boolean(),
      says: z.string(),
      problems: z.array(z.looseObject({ level: z.string(), code: z.string(), message: z.string() })),
    }),
  async answer({ body: { workflow_yaml: text, thorough }, signal }, context) {
    const { workflows, platform } = context.openRuntime(context.settings.workspace);
    const read = await checkText(text, workflows, context, signal);
    if (!read.ok) return read;
    const checked = read.value;
    const found = thorough ? await allDiagnostics(checked, platform, signal) : checked.diagnostics;
    const { plan } = checked;
    const said = { valid: isValid(found, false), problems: describeProblems(found, text, pageWords.advice) };
    const answer: WorkflowChecked = {
      ...said,
      says: sayChecked(said),
      marks: marksOf(said.problems),
      ...(plan === undefined
        ? {}
        : {
            facts: await inSlices(describeFacts(plan, (key) => workflows.callable(key), platform)),
            ...defined({ graph: describeGraph(plan, (key) => workflows.planOf(key)) }),
          }),
    };
    return ok(answer);
  },
});
