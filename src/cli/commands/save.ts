import { type PreparedSave, prepareSave, save } from "../../library/save-workflow.ts";
import { pathBelow } from "../../util/path-below.ts";
import { type AddCommand, type CliContext, exitCodes, openWorkspace } from "../context.ts";
import { drawFile } from "../drawing/draw-changes.ts";
import { printDiagnostics, printJson, refuse } from "../print-diagnostics.ts";
import { askWhether } from "../prompts.ts";
import { readGivenText } from "../read-given-text.ts";
import { sameDirectory } from "../same-directory.ts";
import { cleanLine } from "../text/visible-text.ts";
import { wordAdvice } from "../word-advice.ts";

export interface SaveOptions {
  readonly overwrite?: true;
  readonly workspace: string;
  readonly json?: true;
}

export const addSaveCommand: AddCommand = (program, context, end) => {
  program
    .command("save")
    .description("check a workflow, keep it in the .frond/workflows of a project and trust it; in a terminal it asks")
    .argument("<file>", "workflow file, or - for what comes on standard input")
    .option("--overwrite", "replace a trusted workflow of this name")
    .option("--workspace <dir>", "directory of the project", ".")
    .option("--json", "print one JSON document")
    .action(async (file: string, options: SaveOptions) => end(await saveWorkflow(file, options, context)));
};

async function saveWorkflow(file: string, options: SaveOptions, context: CliContext): Promise<number> {
  const text = await readGivenText(file, "workflow", context);
  if (!text.ok) return refuse([text.error], options.json === true, context.terminal);
  // Whoever sends the text through a pipe is not there to be asked.
  return saveText(text.value, file === "-" ? "standard input" : file, file !== "-", options, context);
}

/** Keeps a workflow in the project. `origin` is where its text comes from; `mayAsk`: a person at a terminal says whether it is trusted. */
export async function saveText(
  text: string,
  origin: string,
  mayAsk: boolean,
  options: SaveOptions,
  context: CliContext,
): Promise<number> {
  const { terminal } = context;
  const json = options.json === true;
  const opened = openWorkspace(options.workspace, context);
  if (!opened.ok) return refuse(opened.error, json, terminal);
  const { workspace, runtime } = opened.value;
  const request = { text, origin, workspace, overwrite: options.overwrite === true };
  const prepared = await prepareSave(request, runtime.workflows, runtime.platform);
  if (!prepared.ok) return refuse(prepared.error, json, terminal);
  const { plan, isTrusted, warnings } = prepared.value;
  const isAsked = terminal.canAsk && !json && mayAsk && !isTrusted;
  const saved = await save(prepared.value, !isAsked || (await askForTrust(prepared.value, context)), runtime.platform);
  if (!saved.ok) {
    refuse([saved.error], json, terminal);
    return exitCodes.failure;
  }
  const { trusted, isWritten } = saved.value;
  const { name } = plan.definition;
  if (json) {
    printJson(
      { workflow: name, path: prepared.value.file, trusted, ...(isWritten ? {} : { unchanged: true }) },
      terminal,
    );
    return exitCodes.success;
  }
  printDiagnostics(warnings, terminal);
  const next = trusted
    ? `Run it with: frond run ${name}${sameDirectory(options.workspace, "--workspace")}`
    : `It is not trusted. ${wordAdvice({ kind: "trust-project", file: prepared.value.file, project: workspace, isKnown: true })}`;
  const done = isWritten ? "Saved" : "Already there";
  terminal.write(`${done}: ${cleanLine(prepared.value.file)}\n${cleanLine(next)}\n`);
  return exitCodes.success;
}

function askForTrust({ file, before, text, workspace }: PreparedSave, context: CliContext): Promise<boolean> {
  const { terminal } = context;
  const path = cleanLine(pathBelow(workspace, file) ?? file);
  const kind = before === undefined ? "new" : "changed";
  // A file that has the text already, and is not trusted, is new to whoever is asked.
  const known = before === undefined || before === text ? "" : before;
  terminal.write(`${drawFile(kind, path, known, text, terminal.colour).join("\n")}\n`);
  return askWhether(`Trust ${path} as shown above?`, context);
}
