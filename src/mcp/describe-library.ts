import { toData } from "../diagnostic/diagnostic.ts";
import { listWorkflows, type WorkflowSummary } from "../service/describe-workflow.ts";
import type { Workflows } from "../service/workflows.ts";

/** Every workflow that can be run by name, and every file that can't be read as one. */
export function describeLibrary(workflows: Workflows): object {
  const broken = describeBroken(workflows);
  return {
    workflows: listWorkflows(workflows).map(describeListed),
    ...(broken.length === 0 ? {} : { broken }),
  };
}

/** A workflow in a list. What says nothing is left out: the list is read by a model. */
export interface ListedWorkflow extends Pick<WorkflowSummary, "name" | "description" | "source"> {
  readonly tags?: readonly string[];
  readonly untrusted?: string;
}

export function describeListed({ name, description, tags, source, trusted }: WorkflowSummary): ListedWorkflow {
  return {
    name,
    description: description.trim(),
    ...(tags.length === 0 ? {} : { tags }),
    source,
    ...(trusted ? {} : { untrusted: "A person has to say `frond trust` before it can be run." }),
  };
}

export function describeBroken({ library }: Workflows): readonly object[] {
  return library.broken().map(({ file, diagnostics }) => ({
    file,
    errors: diagnostics
      .filter(({ level }) => level === "error")
      .map(({ code, message, range, fix }) => ({
        ...(fix === undefined ? {} : { fix }),
        ...toData({ code, level: "error", message, ...(range === undefined ? {} : { range }) }),
      })),
  }));
}
