import { Argument } from "commander";
import { completionScripts, type Shell, shells } from "../completion/completion-scripts.ts";
import { type AddCommand, exitCodes } from "../context.ts";
import { printJson } from "../print-diagnostics.ts";

export const addCompletionCommand: AddCommand = (program, { terminal }, end) => {
  program
    .command("completion")
    .description("print the script that lets a shell complete commands, options, workflows, runs, blocks and inputs")
    .addArgument(
      new Argument("<shell>", "your shell; how to install the script stands in its first lines").choices(shells),
    )
    .option("--json", "print one JSON document")
    .action((shell: Shell, options: { readonly json?: true }) => {
      const script = completionScripts[shell];
      if (options.json) printJson({ shell, script }, terminal);
      else terminal.write(script);
      end(exitCodes.success);
    });
};
