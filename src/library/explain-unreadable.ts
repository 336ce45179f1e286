import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { WorkflowFiles } from "./workflow-files.ts";

type Unreadable = Exclude<ReturnType<WorkflowFiles["readWorkflowText"]>, { readonly text: string }>;

/** Why the text of a workflow can't be had. `near` is a file that may be meant instead. */
export function explainUnreadable(file: string, read: Unreadable, near?: string): Diagnostic {
  switch (read.problem) {
    case "missing":
      return {
        code: "no-such-file",
        level: "error",
        message: `There is no file '${file}'.`,
        ...(near === undefined
          ? { fix: "Check the path.", advice: { kind: "list-workflows" } }
          : { fix: `Did you mean '${near}'?` }),
      };
    case "directory":
      return {
        code: "not-a-file",
        level: "error",
        message: `'${file}' is a directory.`,
        fix: "Give the path of a workflow file.",
      };
    case "too-large":
      return {
        code: "limit-exceeded",
        level: "error",
        message: `'${file}' is too large (${read.detail}).`,
        why: "A workflow file has a limit of 2 MB.",
        fix: "Split it into several workflows and call them with ExecuteWorkflow.",
      };
    case "unreadable":
      return {
        code: "unreadable-file",
        level: "error",
        message: `'${file}' can't be read: ${read.detail}.`,
        fix: "Check the path, and who may read it.",
      };
  }
}
