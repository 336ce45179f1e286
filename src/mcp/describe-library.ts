import { dirname } from "node:path";
import { type Diagnostic, toData } from "../diagnostic/diagnostic.ts";
import { isAboutChoice } from "../library/describe-trust.ts";
import { listWorkflows, type WorkflowSummary } from "../library/describe-workflow.ts";
import { projectOf } from "../library/project-trust.ts";
import type { Workflows } from "../library/workflows.ts";
import { forPerson } from "./for-person.ts";
import { explainForModel } from "./word-advice.ts";

/** Every workflow that can be run by name, and every file that can't be read as one. */
export function describeLibrary(workflows: Workflows): object {
  const broken = describeBroken(workflows);
  return {
    workflows: listWorkflows(workflows).map(describeListed),
    ...(broken.length === 0 ? {} : { broken }),
    ...describeWarnings(workflows),
  };
}

/** Directories that are not looked into: what lies in them is missing in every list. */
export function describeWarnings({ library }: Workflows): { readonly warnings?: readonly string[] } {
  const warnings = library.warnings();
  return warnings.length === 0 ? {} : { warnings };
}

/** A workflow in a list. What says nothing is left out: the list is read by a model. */
interface ListedWorkflow extends Pick<WorkflowSummary, "name" | "description" | "source"> {
  readonly tags?: readonly string[];
  readonly replaces_built_in?: true;
  readonly untrusted?: string;
}

const untrustedBecause: Readonly<Record<NonNullable<WorkflowSummary["standing"]>, string>> = {
  untrusted: "Nobody has trusted this project yet",
  new: "It is new",
  changed: "It has changed since it was trusted",
  "other-owner": "Its directory belonged to another user when it was trusted",
};

function describeListed(workflow: WorkflowSummary): ListedWorkflow {
  const { name, description, tags, source, file, standing, replaces_built_in: replaces } = workflow;
  return {
    name,
    description: description.trim(),
    ...(tags.length === 0 ? {} : { tags }),
    source,
    ...(replaces ? { replaces_built_in: true } : {}),
    ...(standing === undefined ? {} : { untrusted: describeUntrusted(standing, file) }),
  };
}

export function describeUntrusted(standing: NonNullable<WorkflowSummary["standing"]>, file: string): string {
  return `${untrustedBecause[standing]}: ${forPerson.trustFile(projectOf(file) ?? dirname(file))}`;
}

/** That another workflow than the project's own is used. */
export function describeChoice(diagnostics: readonly Diagnostic[]): { readonly warnings?: readonly string[] } {
  const warnings = diagnostics.filter(isAboutChoice).map((found) => {
    const { message, fix } = explainForModel(found);
    return fix === undefined ? message : `${message} ${fix}`;
  });
  return warnings.length === 0 ? {} : { warnings };
}

export function describeBroken({ library }: Workflows): readonly object[] {
  return library.broken().map(({ file, diagnostics }) => ({
    file,
    errors: diagnostics
      .filter(({ level }) => level === "error")
      .map((found) => {
        const { why: _, ...problem } = toData(explainForModel(found));
        return problem;
      }),
  }));
}
