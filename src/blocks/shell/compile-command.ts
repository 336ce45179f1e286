import { type ParsedScript, parse } from "unbash";
import type { FileName } from "../../block/define-block.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { checkCommands } from "./check-commands.ts";
import { backgroundHint, onlyLastExitCode } from "./command-hints.ts";
import type { CommandProblem } from "./command-problem.ts";
import type { CompiledCommand } from "./compiled-command.ts";
import { findAssignedNames } from "./find-assigned-names.ts";
import { findReferences, maskReferences } from "./find-references.ts";
import { lowerScript } from "./lower-script.ts";
import { PlacedValues } from "./placed-values.ts";
import { lowerProgramTexts } from "./program-texts.ts";
import { runsOfDirectory } from "./runs-of-directory.ts";
import type { ScriptBuilder } from "./script-builder.ts";
import { findSyntaxProblem, findTooManyBraces } from "./syntax-problems.ts";
import type { Surroundings } from "./trace-values.ts";

/**
 * Turns a command's text into one where every `${...}` of ours is a slot. The promise: a value never becomes shell source. A slot
 * is always spelled as a variable, whose contents no shell parses again; where bash or a program evaluates contents all the same,
 * and that can be seen, the command is refused.
 */
export function compileCommand(
  text: string,
  surroundings: Surroundings = {},
): Result<CompiledCommand, CommandProblem[]> {
  const nul = text.indexOf("\0");
  if (nul !== -1) {
    const message = "A command can't hold a NUL character.";
    return err([{ code: "nul-in-command", level: "error", message, start: nul, end: nul + 1 }]);
  }
  const braces = findTooManyBraces(text);
  if (braces !== undefined) return err([braces]);
  const references = findReferences(text);
  const tree = parse(maskReferences(text, references));
  const placed = new PlacedValues(text, references);
  const script = lowerScript(tree, placed);
  const problems = [...placed.problems, ...suspectedReferences(script)];
  const syntax = findSyntaxProblem(text, tree, placed.slots.length > 0);
  if (syntax !== undefined) placed.placeRest();
  const check = checkCommands(script, surroundings);
  problems.push(...check.problems, ...hintsOf(text, tree));
  const isRefused = problems.some((problem) => problem.level === "error");
  if (isRefused && syntax !== undefined) problems.push(syntax);
  problems.sort((a, b) => a.start - b.start);
  if (isRefused) return err(problems);
  const { construct, chosen, written } = check;
  return ok({
    segments: placed.segments(),
    values: placed.values,
    notes: problems,
    chosen,
    written,
    syntax,
    construct,
  });
}

/** What a script runs of the directory that it works in. */
export function runsOfScript(text: string): readonly FileName[] {
  const references = findReferences(text);
  const script = lowerScript(parse(maskReferences(text, references)), new PlacedValues(text, references));
  lowerProgramTexts(script, false);
  return runsOfDirectory(script.commands);
}

function hintsOf(text: string, tree: ParsedScript): CommandProblem[] {
  const background = backgroundHint(text, tree);
  const exitCode = onlyLastExitCode(text, tree);
  return [...(background === undefined ? [] : [background]), ...(exitCode === undefined ? [] : [exitCode])];
}

function suspectedReferences({ suspects, commands }: ScriptBuilder): CommandProblem[] {
  if (suspects.length === 0) return [];
  const assigned = findAssignedNames(commands);
  return suspects.filter(({ name }) => !assigned.has(name)).map(({ problem }) => problem);
}
