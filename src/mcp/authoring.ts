import { writeLanguagePage } from "../library/language-page.ts";
import type { ServerContext } from "./server-context.ts";

/** How to write a workflow, for a model: the language, then the calls to make. */
export function writeAuthoringGuide({ catalog, settings }: ServerContext): string {
  return `${writeLanguagePage(catalog)}\n\n## How to go about it\n\n${steps(settings.allowsInline && !settings.isReadOnly)}`;
}

function steps(mayRunText: boolean): string {
  const lines = [
    "Find out with list_workflows whether there is one already, or one to call as a block (ExecuteWorkflow).",
    'get_workflow_schema({"block_type": "EditFile"}) has all that a type takes and gives, with an example; the resource workflow://schema is the whole JSON Schema. Prefer block types for files, JSON, HTTP and git to commands that do the same.',
    "validate_workflow_yaml says all that is wrong at once; fix warnings and hints too.",
    ...(mayRunText
      ? [
          "execute_inline_workflow runs it. When a block fails, get_run with its path and include log shows why; rerun_workflow with the run_id and the fixed workflow_yaml goes on from there, and reuses what had succeeded.",
          "save_workflow keeps it in .frond/workflows, and execute_workflow runs it by its name. What comes there in another way a person has to look at first, and run `frond trust`.",
        ]
      : [
          "This server runs no workflow that is sent as text: show it to the person, who can save it as .frond/workflows/NAME.yaml, look at it and run `frond trust` in the project. Then execute_workflow runs it by its name.",
        ]),
  ];
  return lines.map((line, index) => `${index + 1}. ${line}`).join("\n");
}
