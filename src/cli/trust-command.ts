import { listProjectFiles, projectDirectory } from "../service/workflows.ts";
import { type AddCommand, badDirectory, exitCodes } from "./context.ts";
import { countOf, printJson, refuse } from "./print-diagnostics.ts";
import { cleanLine } from "./visible-text.ts";

interface Options {
  readonly remove?: true;
  readonly list?: true;
  readonly json?: true;
}

export const addTrustCommand: AddCommand = (program, context, end) => {
  const { terminal, outside } = context;
  program
    .command("trust")
    .description("trust the workflows in a directory's .frond/workflows")
    .argument("[dir]", "project directory", ".")
    .option("--remove", "stop trusting it")
    .option("--list", "show the directories that are trusted")
    .option("--json", "print one JSON document")
    .action((directory: string, options: Options) => {
      const json = options.json === true;
      if (options.list) return printTrusted(outside.trust.list(), json);
      const real = outside.realDirectory(directory);
      if (!real.ok) {
        return end(refuse([badDirectory(real.error, "Give the directory of the project.")], json, terminal));
      }
      const project = real.value;
      const done = options.remove ? outside.trust.remove(project) : outside.trust.add(project);
      if (!done.ok) {
        const fix = "Make it writable, or name another with FROND_STATE_DIR.";
        refuse([{ code: "state-not-written", level: "error", message: done.error, fix }], json, terminal);
        return end(exitCodes.failure);
      }
      const trusted = options.remove !== true;
      if (json) return printJson({ directory: project, trusted }, terminal);
      const files = listProjectFiles(project, outside);
      terminal.write(trusted ? describeTrusted(project, files) : `No longer trusted: ${cleanLine(project)}\n`);
    });

  function printTrusted(directories: readonly string[], json: boolean): void {
    if (json) return printJson({ trusted: directories }, terminal);
    terminal.write(
      directories.length === 0 ? "No directory is trusted.\n" : `${directories.map(cleanLine).join("\n")}\n`,
    );
  }
};

function describeTrusted(project: string, files: readonly string[]): string {
  const what =
    files.length === 0
      ? `There is no workflow in its ${projectDirectory} yet.`
      : `What can now be run by name (${countOf(files.length, "file")}):\n${files.map((file) => `  ${cleanLine(file)}\n`).join("")}`;
  return `Trusted: ${cleanLine(project)}\n${what.trimEnd()}\n`;
}
