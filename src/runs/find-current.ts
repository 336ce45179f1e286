import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { problem } from "../diagnostic/problem.ts";
import type { RunState } from "../engine/state.ts";
import type { CheckedWorkflow, Workflows } from "../library/workflows.ts";
import type { TrustedTexts } from "./rerun-run.ts";

/**
 * What the file says now that a run was started from; nothing if that was none, such as a text that a model gave. A file of a library
 * is used as the library has it, so a person must have looked at what has changed in a project's. For any other it depends on who asks.
 */
export function findCurrent(
  workflows: Workflows,
  { started }: RunState,
  trust: TrustedTexts,
): CheckedWorkflow | undefined {
  const { file, workflow, definitions, key, runId } = started;
  const entry = file === undefined ? undefined : workflows.entryOf(file);
  if (entry !== undefined && file !== undefined) {
    if (entry.trusted) return workflows.checkEntry(entry);
    const refused = workflows.explainUntrusted(`The workflow '${workflow}'`, file, entry.standing);
    return { diagnostics: [trust === "library" ? refused : orOtherText(refused, runId)] };
  }
  if (trust === "library") {
    const fix = "Run a workflow of the library instead.";
    return {
      diagnostics: [
        problem(
          "text-forbidden",
          `The text of ${runId} is in no library of workflows, and only those may be run here.`,
          fix,
        ),
      ],
    };
  }
  if (file === undefined) return undefined;
  const source = workflows.readSource(file);
  if (!("text" in source)) return refuse(`${file}, which ${runId} was started from, can't be read now.`, runId);
  if (trust === "any-file") return workflows.checkFile(file);
  if (source.text === definitions[key ?? workflow]?.text) return undefined;
  return refuse(`${file}, which ${runId} was started from, has changed, and is in no library of workflows.`, runId);
}

function orOtherText(refused: Diagnostic, runId: string): Diagnostic {
  const { advice } = refused;
  return advice?.kind === "trust-project" ? { ...refused, advice: { ...advice, runId } } : refused;
}

function refuse(message: string, runId: string): CheckedWorkflow {
  return { diagnostics: [{ ...problem("text-unknown", message), advice: { kind: "give-text", runId } }] };
}
