import { startsReference } from "../../expression/parse-template.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { checkCommands } from "./check-commands.ts";
import { backgroundHint, onlyLastExitCode } from "./command-hints.ts";
import type { CommandProblem } from "./command-problem.ts";
import type { CompiledCommand } from "./compiled-command.ts";
import { findAssignedNames } from "./find-assigned-names.ts";
import type { Scan } from "./scan.ts";
import { scanCommands } from "./scan-commands.ts";

/**
 * Turns a command's text into one where every `${...}` of ours is a slot. The promise: a value never becomes shell source. A slot
 * is always spelled as a variable, whose contents no shell parses again; the places where bash or a program evaluates contents
 * all the same are refused here.
 */
export function compileCommand(text: string): Result<CompiledCommand, CommandProblem[]> {
  const nul = text.indexOf("\0");
  if (nul !== -1) {
    return err([
      {
        code: "nul-in-command",
        level: "error",
        message: "A command can't hold a NUL character.",
        start: nul,
        end: nul + 1,
      },
    ]);
  }
  const { scan, stop } = scanCommands(text);
  const slips = [...scan.problems, ...suspectedReferences(scan)];
  if (stop?.ambiguous && !holdsReference(text)) {
    // Only what stands before the ambiguous place is certain to have been read as the shell does.
    const certain = slips.filter((problem) => problem.end <= stop.problem.start);
    return conclude(certain, { segments: [text], values: [] });
  }
  const problems = [...slips, ...checkCommands(scan)];
  if (stop !== undefined) problems.push(stop.problem);
  if (scan.background !== undefined) problems.push(backgroundHint(scan.background));
  const exitCodeHint = onlyLastExitCode(text, scan.commands);
  if (exitCodeHint !== undefined) problems.push(exitCodeHint);
  return conclude(problems, scan);
}

function conclude(
  problems: CommandProblem[],
  { segments, values }: Pick<CompiledCommand, "segments" | "values">,
): Result<CompiledCommand, CommandProblem[]> {
  problems.sort((a, b) => a.start - b.start);
  if (problems.some((problem) => problem.level === "error")) return err(problems);
  return ok({ segments, values, notes: problems });
}

function suspectedReferences({ suspects, commands }: Scan): CommandProblem[] {
  if (suspects.length === 0) return [];
  const assigned = findAssignedNames(commands);
  return suspects.filter(({ name }) => !assigned.has(name)).map(({ problem }) => problem);
}

function holdsReference(text: string): boolean {
  for (let at = text.indexOf("${"); at !== -1; at = text.indexOf("${", at + 1)) {
    if (startsReference(text, at)) return true;
  }
  return false;
}
