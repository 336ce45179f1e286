import type { Diagnostic } from "../../diagnostic/diagnostic.ts";
import { describeOverrides } from "../../library/describe-workflow.ts";
import { projectDirectory } from "../../library/project-directory.ts";
import { digestOf, type ProjectSurvey, surveyProject, trustProject } from "../../library/project-trust.ts";
import { ok, type Result } from "../../util/result.ts";
import { type AddCommand, badDirectory, type CliContext, exitCodes } from "../context.ts";
import { drawChanges, drawDiffs } from "../drawing/draw-changes.ts";
import { countOf, printJson, refuse } from "../print-diagnostics.ts";
import { sameDirectory } from "../same-directory.ts";
import { cleanLine } from "../text/visible-text.ts";

interface Options {
  readonly diff?: true;
  readonly shown?: string;
  readonly otherOwner?: true;
  readonly remove?: true;
  readonly list?: true;
  readonly json?: true;
}

export const addTrustCommand: AddCommand = (program, context, end) => {
  program
    .command("trust")
    .description("trust the workflows and tests in a directory's .frond/workflows, as they are now")
    .argument("[dir]", "project directory", ".")
    .option("--diff", "only show what is new or different since they were trusted")
    .option("--shown <digest>", "trust them only if they still are what --diff has shown, which prints the digest")
    .option("--other-owner", "trust them although the directory belongs to another user")
    .option("--remove", "stop trusting them")
    .option("--list", "show the directories that are trusted")
    .option("--json", "print one JSON document")
    .action((directory: string, options: Options) => end(trust(directory, options, context)));
};

function trust(directory: string, options: Options, context: CliContext): number {
  const { terminal, platform } = context;
  const json = options.json === true;
  if (options.list) return printTrusted(platform.trust.list(), json, context);
  const real = platform.realDirectory(directory);
  if (!real.ok) return refuse([badDirectory(real.error, "Give the directory of the project.")], json, terminal);
  const project = real.value;
  if (options.remove) return removeTrust(project, json, context);
  const survey = surveyProject(project, platform);
  if (options.diff) return showDifferences(survey, directory, json, context);
  if (options.shown !== undefined && options.shown !== digestOf(survey)) return refuse([notAsShown], json, terminal);
  const foreign = options.otherOwner ? undefined : explainForeign(survey);
  if (foreign !== undefined) return refuse([foreign], json, terminal);
  const saved = trustProject(survey, platform);
  if (!saved.ok) return refuseUnsaved(saved, json, context);
  const replacing = findReplacing(project, context);
  if (json) printJson({ directory: project, trusted: true, ...describeSurvey(survey), replacing }, terminal);
  else terminal.write(describeTrusted(survey, replacing, terminal.colour));
  return exitCodes.success;
}

const notAsShown: Diagnostic = {
  code: "not-as-shown",
  level: "error",
  message: "The files have changed since they were shown. Nothing was trusted.",
  fix: "Look at them again with `frond trust --diff`.",
};

/** Somebody else can change what is in there at any time, and may have done so before anybody looked. */
function explainForeign({ foreign }: ProjectSurvey): Diagnostic | undefined {
  const [first] = foreign;
  if (first === undefined) return undefined;
  return {
    code: "other-owner",
    level: "error",
    message: `${first} belongs to another user.`,
    why: "Its owner can put workflows there that run commands as you.",
    fix: "Copy the project into a directory of your own, or trust it with --other-owner if you trust that user.",
  };
}

function removeTrust(project: string, json: boolean, context: CliContext): number {
  const { terminal, platform } = context;
  const wasTrusted = platform.trust.find(project) !== undefined;
  const removed = wasTrusted ? platform.trust.remove(project) : ok(undefined);
  if (!removed.ok) return refuseUnsaved(removed, json, context);
  if (json) printJson({ directory: project, trusted: false, was_trusted: wasTrusted }, terminal);
  else terminal.write(`${wasTrusted ? "No longer trusted" : "It was not trusted"}: ${cleanLine(project)}\n`);
  return exitCodes.success;
}

function refuseUnsaved(
  { error: message }: Extract<Result<void, string>, { ok: false }>,
  json: boolean,
  { terminal }: CliContext,
): number {
  const fix = "Check its permissions and the free space on its disk, or choose another with FROND_STATE_DIR.";
  refuse([{ code: "state-not-written", level: "error", message, fix }], json, terminal);
  return exitCodes.failure;
}

function showDifferences(
  survey: ProjectSurvey,
  directory: string,
  json: boolean,
  { terminal, platform }: CliContext,
): number {
  const { project, isKnown, hasOtherOwner } = survey;
  if (json) {
    const trusted = isKnown && !hasOtherOwner;
    printJson({ directory: project, trusted, ...describeSurvey(survey), digest: digestOf(survey) }, terminal);
    return exitCodes.success;
  }
  const lines = drawDiffs(survey, platform, terminal.colour);
  if (hasOtherOwner) lines.unshift("It belongs to another user than when it was trusted.");
  if (lines.length === 0) lines.push(isKnown ? "Nothing has changed since it was trusted." : nothingYet);
  else lines.push(`To trust exactly this: frond trust --shown ${digestOf(survey)}${sameDirectory(directory)}`);
  terminal.write(`${lines.join("\n")}\n`);
  return exitCodes.success;
}

const nothingYet = `It has no workflow files in ${projectDirectory}. Symbolic links are not followed.`;

function describeSurvey({ changes, files }: ProjectSurvey): object {
  return { files: [...files.keys()], ...changes };
}

interface Replacing {
  readonly name: string;
  readonly file: string;
}

/** Which of the project's workflows take the name of a built-in one. */
function findReplacing(project: string, { openRuntime }: CliContext): readonly Replacing[] {
  return openRuntime(project)
    .workflows.library.entries()
    .filter((entry) => entry.source === "project" && describeOverrides(entry).replaces_built_in)
    .map(({ name, file }) => ({ name, file }));
}

function describeTrusted(survey: ProjectSurvey, replacing: readonly Replacing[], colour: boolean): string {
  const { project, files, changes } = survey;
  const lines = [`Trusted: ${cleanLine(project)}`];
  if (files.size === 0) lines.push(nothingYet);
  lines.push(...drawChanges(survey, colour));
  const same = files.size - changes.new.length - changes.changed.length;
  if (same > 0) lines.push(`  ${countOf(same, "file")} as before`);
  for (const { name, file } of replacing) {
    lines.push(`Note: ${cleanLine(file)} replaces the built-in workflow '${name}' in this project.`);
  }
  return `${lines.join("\n")}\n`;
}

function printTrusted(directories: readonly string[], json: boolean, { terminal }: CliContext): number {
  if (json) printJson({ trusted: directories }, terminal);
  else
    terminal.write(
      directories.length === 0 ? "No directory is trusted.\n" : `${directories.map(cleanLine).join("\n")}\n`,
    );
  return exitCodes.success;
}
