import { paint } from "../diagnostic/style.ts";
import { describeWorkflow, type WorkflowInfo } from "../service/describe-workflow.ts";
import { type AddCommand, openWorkspace } from "./context.ts";
import { printJson, refuse } from "./print-diagnostics.ts";
import type { Terminal } from "./terminal.ts";

export const addInfoCommand: AddCommand = (program, context, end) => {
  const { terminal } = context;
  program
    .command("info")
    .description("show what a workflow takes, gives and does")
    .argument("<name>", "workflow name or file")
    .option("--workspace <dir>", "directory whose .frond/workflows is included", ".")
    .option("--json", "print one JSON document")
    .action((target: string, options: { json?: true; workspace: string }) => {
      const json = options.json === true;
      const opened = openWorkspace(options.workspace, context);
      if (!opened.ok) return end(refuse(opened.error, json, terminal));
      const { plan, diagnostics } = opened.value.engine.workflows.findTarget(target);
      if (plan === undefined) return end(refuse(diagnostics, json, terminal));
      const info = describeWorkflow(plan);
      if (json) printJson(info, terminal);
      else printInfo(info, terminal);
    });
};

function printInfo(info: WorkflowInfo, terminal: Terminal): void {
  const heading = (text: string): string => `\n${paint(text, "bold", terminal.colour)}\n`;
  const dim = (text: string): string => paint(text, "dim", terminal.colour);
  terminal.write(
    `${paint(info.name, "bold", terminal.colour)} ${info.version}  ${dim(info.file)}\n${info.description.trim()}\n`,
  );
  if (info.tags.length > 0) terminal.write(dim(`tags: ${info.tags.join(", ")}\n`));
  const inputs = Object.entries(info.inputs);
  terminal.write(heading("Inputs"));
  if (inputs.length === 0) terminal.write("  none\n");
  for (const [name, input] of inputs) {
    const need = input.required ? "required" : `default ${JSON.stringify(input.default ?? null)}`;
    const choices =
      input.enum === undefined ? "" : `, one of ${input.enum.map((value) => JSON.stringify(value)).join(", ")}`;
    terminal.write(`  ${name} ${dim(`(${input.type}, ${need}${choices})`)} ${input.description ?? ""}\n`);
  }
  const outputs = Object.entries(info.outputs);
  if (outputs.length > 0) terminal.write(heading("Outputs"));
  for (const [name, { type, description }] of outputs) {
    terminal.write(`  ${name} ${type === undefined ? "" : dim(`(${type}) `)}${description ?? ""}\n`);
  }
  terminal.write(heading("Blocks"));
  for (const block of info.blocks) {
    const after = block.depends_on.map(({ block: id, required }) => (required ? id : `${id}?`)).join(", ");
    const condition = block.condition === undefined ? "" : ` if ${block.condition.replaceAll(/\s+/g, " ")}`;
    const about = block.description === undefined ? "" : `  ${block.description}`;
    terminal.write(
      `  ${block.id} ${dim(`${block.type}${after === "" ? "" : ` after ${after}`}${condition}`)}${about}\n`,
    );
  }
  if (info.capabilities.length > 0) terminal.write(`\nIt uses: ${info.capabilities.join(", ")}.\n`);
}
