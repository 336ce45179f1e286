import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { surveyProject, trustProject } from "../library/project-trust.ts";
import type { CliContext } from "./context.ts";
import { drawDiffs } from "./draw-changes.ts";
import { printDiagnostics } from "./print-diagnostics.ts";
import { askWhether } from "./prompts.ts";
import { explainForeign } from "./trust-command.ts";
import { cleanLine } from "./visible-text.ts";

/**
 * Shows a person what nobody has looked at yet in a project, and asks whether to trust it. What is trusted is what was shown, even
 * if the files change meanwhile. Never asks where there is no terminal.
 */
export async function askForTrust(
  project: string,
  problems: readonly Diagnostic[],
  { terminal, platform }: CliContext,
): Promise<boolean> {
  const untrusted = problems.filter(({ code }) => code === "untrusted-workflow");
  if (!terminal.canAsk || untrusted.length === 0) return false;
  const survey = surveyProject(project, platform);
  // Only `frond trust` has the option that allows it.
  if (explainForeign(survey) !== undefined) return false;
  terminal.write(`${drawDiffs(survey, platform, terminal.colour).join("\n")}\n`);
  for (const { message } of untrusted) terminal.write(`${cleanLine(message)}\n`);
  if (!(await askWhether(`Trust the files in ${project} as shown above?`))) return false;
  const saved = trustProject(survey, platform);
  if (!saved.ok) printDiagnostics([{ code: "state-not-written", level: "error", message: saved.error }], terminal);
  return saved.ok;
}
