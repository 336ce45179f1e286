import { toData } from "../diagnostic/diagnostic.ts";
import { paint } from "../diagnostic/style.ts";
import { listWorkflows, type WorkflowSummary } from "../service/describe-workflow.ts";
import { type AddCommand, openWorkspace } from "./context.ts";
import { countOf, printDiagnostics, printJson, refuse } from "./print-diagnostics.ts";
import type { Terminal } from "./terminal.ts";
import { cleanLine } from "./visible-text.ts";

interface Options {
  readonly tag?: readonly string[];
  readonly workspace: string;
  readonly json?: true;
}

export const addListCommand: AddCommand = (program, context, end) => {
  const { terminal } = context;
  program
    .command("list")
    .description("list the workflows that can be run by name, and files that are broken")
    .option("--tag <tag...>", "only workflows with all of these tags")
    .option("--workspace <dir>", "directory whose .frond/workflows is included", ".")
    .option("--json", "print one JSON document")
    .action((options: Options) => {
      const opened = openWorkspace(options.workspace, context);
      if (!opened.ok) return end(refuse(opened.error, options.json === true, terminal));
      const { workflows } = opened.value.engine;
      const wanted = options.tag ?? [];
      const broken = workflows.library.broken();
      const found = listWorkflows(workflows).filter(({ tags }) => wanted.every((tag) => tags.includes(tag)));
      const warnings = workflows.library.warnings();
      if (options.json) {
        const files = broken.map(({ file, diagnostics }) => ({ file, errors: diagnostics.map(toData) }));
        return printJson({ workflows: found, broken: files, warnings }, terminal);
      }
      for (const warning of warnings) terminal.writeError(`warning: ${cleanLine(warning)}\n`);
      printTable(found, terminal);
      for (const { file, diagnostics } of broken) {
        terminal.writeError(`\n${paint("broken", "red", terminal.errorColour)} ${cleanLine(file)}\n`);
        printDiagnostics(diagnostics.filter(({ level }) => level === "error").slice(0, 3), terminal);
      }
    });
};

function printTable(workflows: readonly WorkflowSummary[], terminal: Terminal): void {
  if (workflows.length === 0) return terminal.write("No workflows found.\n");
  const width = Math.max(...workflows.map(({ name }) => name.length));
  for (const workflow of workflows) {
    const tags = workflow.tags.length === 0 ? "" : ` [${cleanLine(workflow.tags.join(", "))}]`;
    const untrusted = workflow.trusted ? "" : paint(" untrusted: say `frond trust`", "yellow", terminal.colour);
    const first = cleanLine(workflow.description.trim().split("\n")[0] ?? "");
    const about = paint(`${tags} (${workflow.source})`, "dim", terminal.colour);
    terminal.write(`${paint(workflow.name.padEnd(width), "bold", terminal.colour)}  ${first}${about}${untrusted}\n`);
  }
  terminal.write(`\n${countOf(workflows.length, "workflow")}. Run one with: frond run NAME\n`);
}
