import * as z from "zod";
import type { DiagnosticData } from "../../diagnostic/diagnostic.ts";
import { problem } from "../../diagnostic/problem.ts";
import { speaksOfUndo } from "../../library/describe-undo.ts";
import { findInWorkspace } from "../../library/find-in-workspace.ts";
import { allDiagnostics, describeParts, describeValidation, type Validation } from "../../library/validate-workflow.ts";
import { inSlices } from "../../util/time-slice.ts";
import { refuse, result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { explainForModel } from "../word-advice.ts";
import { inlineSource } from "./execute-inline-workflow.ts";

export const validateWorkflowYaml: Tool = defineTool({
  name: "validate_workflow_yaml",
  title: "Check a workflow",
  description:
    "Says everything that is wrong with a workflow at once, with block, line, column and what to write instead. Runs nothing. Next: execute_inline_workflow.",
  toolset: "authoring",
  effect: "reads",
  parameters: () =>
    z.strictObject({
      workflow_yaml: z.string().min(1).optional(),
      workflow: z.string().min(1).optional().describe("Or a name, or a path in the workspace"),
    }),
  async call({ workflow_yaml: text, workflow }, { signal }, { openRuntime, settings: { workspace } }) {
    if ((text === undefined) === (workflow === undefined)) return refuse(whichWorkflow);
    const { workflows, platform } = openRuntime(workspace);
    const found =
      text === undefined
        ? findInWorkspace(workflow ?? "", "check", workspace, workflows)
        : workflows.checkInSlices(inlineSource(text, workflows));
    const checked = await inSlices(found);
    const diagnostics = await allDiagnostics(checked, platform, signal);
    // There is no text that anything could be wrong with.
    if (
      text === undefined &&
      checked.definition === undefined &&
      !diagnostics.some(({ range }) => range !== undefined)
    ) {
      return refuse(...diagnostics);
    }
    const parts = describeParts(checked, workflows);
    const described = describeValidation(parts, diagnostics.map(explainForModel), false);
    const validation = speaksOfUndo(checked.definition) ? described : withoutUndoAdvice(described);
    const own =
      checked.definition?.source.name ?? diagnostics.find(({ range }) => range !== undefined)?.range?.source.name;
    const { errors, warnings, hints } = validation;
    const brief = (all: readonly DiagnosticData[]): readonly Brief[] => all.map((one) => withoutKnown(one, own));
    return result({ ...validation, errors: brief(errors), warnings: brief(warnings), hints: brief(hints) });
  },
});

/** Who has not thought of undoing need not be told how. */
function withoutUndoAdvice({ undo, ...validation }: Validation): Validation {
  return { ...validation, ...(undo === undefined ? {} : { undo: { blocks: undo.blocks } }) };
}

const whichWorkflow = problem(
  "which-workflow",
  "validate_workflow_yaml needs one workflow: its text or its name.",
  "Give workflow_yaml or workflow.",
);

type Brief = Omit<DiagnosticData, "level" | "end_line" | "end_column">;

/** Without what its reader has asked for, or sees by where it stands. */
function withoutKnown(data: DiagnosticData, own: string | undefined): Brief {
  const { level: _, end_line: __, end_column: ___, file, ...rest } = data;
  return file === undefined || file === own ? rest : { ...rest, file };
}
