import { paint } from "../../diagnostic/style.ts";
import { isAboutChoice } from "../../library/describe-trust.ts";
import { describeWorkflow, inputLimits, type WorkflowInfo } from "../../library/describe-workflow.ts";
import { type AddCommand, openWorkspace } from "../context.ts";
import { printDiagnostics, printJson, refuse } from "../print-diagnostics.ts";
import type { Terminal } from "../terminal.ts";
import { cleanLine, cleanText } from "../visible-text.ts";

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
      const { workflows } = opened.value.runtime;
      const { plan, diagnostics } = workflows.findTarget(target);
      if (plan === undefined) return end(refuse(diagnostics, json, terminal));
      const file = plan.definition.source.name;
      const info = describeWorkflow(plan, (name) => workflows.callable(name), workflows.entryOf(file));
      if (!json) printDiagnostics(diagnostics.filter(isAboutChoice), terminal);
      if (json) printJson(info, terminal);
      else printInfo(info, terminal);
    });
};

function printInfo(info: WorkflowInfo, terminal: Terminal): void {
  const bold = (text: string): string => paint(text, "bold", terminal.colour);
  const dim = (text: string): string => paint(cleanLine(text), "dim", terminal.colour);
  const lines = [
    `${bold(info.name)} ${cleanLine(info.version)}  ${dim(info.file)}`,
    cleanText(info.description.trim()),
  ];
  const others = info.overrides ?? info.would_override ?? [];
  if (others.length > 0) {
    const verb = info.overrides === undefined ? "It would replace" : "It replaces";
    const what = info.replaces_built_in ? "the built-in workflow of this name" : "another workflow of this name";
    lines.push(paint(`${verb} ${what}: ${cleanLine(others.join(", "))}`, "yellow", terminal.colour));
  }
  if (info.tags.length > 0) lines.push(dim(`tags: ${info.tags.join(", ")}`));
  const inputs = Object.entries(info.inputs);
  lines.push("", bold("Inputs"), ...(inputs.length === 0 ? ["  none"] : []));
  for (const [name, input] of inputs) lines.push(`  ${name} ${dim(describeInput(input))} ${about(input.description)}`);
  const outputs = Object.entries(info.outputs);
  if (outputs.length > 0) lines.push("", bold("Outputs"));
  for (const [name, { type, description }] of outputs) {
    lines.push(`  ${name} ${type === undefined ? "" : dim(`(${type}) `)}${about(description)}`);
  }
  const variables = Object.entries(info.env ?? {});
  if (variables.length > 0) lines.push("", bold("Environment of its commands"));
  for (const [name, value] of variables) lines.push(`  ${cleanLine(name)} ${dim(String(value))}`);
  lines.push("", bold("Blocks"));
  const addBlocks = (blocks: WorkflowInfo["blocks"], indent: string): void => {
    for (const block of blocks) {
      lines.push(`${indent}${block.id} ${dim(describeBlock(block))}  ${about(block.description)}`);
      addBlocks(block.blocks ?? [], `${indent}  `);
    }
  };
  addBlocks(info.blocks, "  ");
  if (info.capabilities.length > 0) lines.push("", `It uses: ${info.capabilities.join(", ")}.`);
  if (info.secrets !== undefined) {
    lines.push("", `It needs the secrets: ${info.secrets.map((name) => `${name} (FROND_SECRET_${name})`).join(", ")}.`);
  }
  terminal.write(lines.map((line) => `${line.trimEnd()}\n`).join(""));
}

function about(description: string | undefined): string {
  return cleanLine((description ?? "").trim());
}

function describeInput(input: WorkflowInfo["inputs"][string]): string {
  if (input.secret) return `(secret, ${input.required ? "required" : "optional"}, only from another workflow)`;
  const need = input.required ? "required" : `default ${JSON.stringify(input.default ?? null)}`;
  return `(${[input.type, need, ...inputLimits(input)].join(", ")})`;
}

function describeBlock(block: WorkflowInfo["blocks"][number]): string {
  const after = block.depends_on.map(({ block: id, required }) => (required ? id : `${id}?`)).join(", ");
  const condition = block.condition === undefined ? "" : ` if ${block.condition.replaceAll(/\s+/g, " ")}`;
  const how = block.for_each ? " for each" : block.repeat ? " repeated" : "";
  const last = block.finally ? " finally" : "";
  return `${block.type}${how}${last}${after === "" ? "" : ` after ${after}`}${condition}`;
}
