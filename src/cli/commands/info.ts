import { paint } from "../../diagnostic/style.ts";
import { wordBudgets } from "../../library/describe-budgets.ts";
import { wordMachines } from "../../library/describe-machines.ts";
import { isAboutChoice } from "../../library/describe-trust.ts";
import { wordUndo } from "../../library/describe-undo.ts";
import { describeWorkflow, type InputInfo, inputLimits, type WorkflowInfo } from "../../library/describe-workflow.ts";
import { quoteWord } from "../../util/quote-word.ts";
import { type AddCommand, openWorkspace } from "../context.ts";
import { printDiagnostics, printJson, refuse } from "../print-diagnostics.ts";
import { sameDirectory } from "../same-directory.ts";
import type { Terminal } from "../terminal.ts";
import { type Entry, layOutEntries } from "../text/lay-out-entries.ts";
import type { Segment } from "../text/lay-out-line.ts";
import { lineWidth } from "../text/lay-out-table.ts";
import { cleanLine, cleanText, cutToWidth, widthOf } from "../text/visible-text.ts";
import { wrapSegments } from "../text/wrap-segments.ts";

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
      const info = describeWorkflow(
        plan,
        (name) => workflows.callable(name),
        workflows.entryOf(file),
        context.platform.clock.now(),
      );
      if (!json) printDiagnostics(diagnostics.filter(isAboutChoice), terminal);
      if (json) printJson(info, terminal);
      else printInfo(info, commandFor(target, info.inputs, options.workspace), terminal);
    });
};

function printInfo(info: WorkflowInfo, command: readonly string[], terminal: Terminal): void {
  const { colour } = terminal;
  const bold = (text: string): string => paint(text, "bold", colour);
  const wrap = (...segments: readonly Segment[]): string[] => wrapSegments(segments, lineWidth(terminal), colour);
  const section = (title: string, entries: readonly Entry[]): string[] =>
    entries.length === 0 ? [] : ["", bold(title), ...layOutEntries(entries, terminal)];
  const lines = [
    ...wrap([cleanLine(info.name), "bold"], [cleanLine(` ${info.version}  `)], [cleanLine(info.file), "dim"]),
    ...wrap([cleanText(info.description.trim())]),
  ];
  const others = info.overrides ?? info.would_override ?? [];
  if (others.length > 0) {
    const verb = info.overrides === undefined ? "It would replace" : "It replaces";
    const what = info.replaces_built_in ? "the built-in workflow of this name" : "another workflow of this name";
    lines.push(...wrap([`${verb} ${what}: ${cleanLine(others.join(", "))}`, "yellow"]));
  }
  if (info.tags.length > 0) lines.push(...wrap([cleanLine(`tags: ${info.tags.join(", ")}`), "dim"]));
  const inputs = Object.entries(info.inputs);
  const inputEntries = inputs.map(([name, input]) => describeInput(name, input, terminal));
  lines.push(...(inputs.length === 0 ? ["", bold("Inputs"), "  none"] : section("Inputs", inputEntries)));
  const outputs = Object.entries(info.outputs).map(
    ([name, { type = "", description }]): Entry => ({
      cells: [[cleanLine(name)], [type, "dim"]],
      text: [[about(description)]],
    }),
  );
  lines.push(...section("Outputs", outputs));
  const variables = Object.entries(info.env ?? {}).map(
    ([name, value]): Entry => ({ cells: [[cleanLine(name)]], text: [[cleanLine(String(value)), "dim"]] }),
  );
  lines.push(...section("Environment of its commands", variables));
  lines.push(...section("Blocks", describeBlocks(info.blocks, "", tellsOfUndo(info.blocks))));
  if (info.capabilities.length > 0) lines.push("", ...wrap([`It uses: ${info.capabilities.join(", ")}.`]));
  if (info.undo !== undefined) lines.push(...wrap([cleanLine(`Undo: ${wordUndo(info.undo)}.`)]));
  if (info.budget !== undefined) lines.push(...wrap([cleanLine(`Budget: ${wordBudgets(info.budget)}.`)]));
  for (const sentence of wordMachines(info)) lines.push(...wrap([cleanLine(sentence)]));
  if (info.secrets !== undefined) {
    const names = info.secrets.map((name) => `${name} (FROND_SECRET_${name})`);
    lines.push("", ...wrap([cleanLine(`It needs the secrets: ${names.join(", ")}.`)]));
  }
  lines.push("", ...adviseRun(command.map(cleanLine), terminal));
  terminal.write(lines.map((line) => `${line.trimEnd()}\n`).join(""));
}

function about(description: string | undefined): string {
  return cleanLine((description ?? "").trim());
}

/** More of a default would leave no room beside it; --json has all of it. */
const longestDefault = 24;

function describeInput(name: string, input: InputInfo, terminal: Terminal): Entry {
  const value = cleanLine(JSON.stringify(input.default ?? null));
  const shown = terminal.isTerminal ? cutToWidth(value, longestDefault) : value;
  const need = input.required ? "required" : input.secret ? "optional" : `default ${shown}`;
  const limits = input.secret ? ["only from another workflow"] : inputLimits(input);
  const more = limits.length === 0 ? "" : cleanLine(`(${limits.join(", ")})`);
  const description = about(input.description);
  return {
    cells: [[cleanLine(name)], [input.secret ? "secret" : input.type, "dim"], [need, input.required ? "bold" : "dim"]],
    text: [[description], [description === "" || more === "" ? more : ` ${more}`, "dim"]],
  };
}

/** Where nobody has thought of undoing, the sum is enough. */
function tellsOfUndo(blocks: WorkflowInfo["blocks"]): boolean {
  return blocks.some(
    ({ undo = "automatic", on_failure: onFailure, commit_point: point, blocks: inner = [] }) =>
      !["automatic", "irreversible"].includes(undo) || onFailure !== undefined || point || tellsOfUndo(inner),
  );
}

function describeBlocks(blocks: WorkflowInfo["blocks"], indent: string, withUndo: boolean): Entry[] {
  return blocks.flatMap((block): Entry[] => {
    const description = about(block.description);
    const how = cleanLine(`${describeBlock(block)}${withUndo ? describeUndo(block) : ""}`);
    return [
      {
        cells: [[`${indent}${cleanLine(block.id)}`]],
        text: [[how, "dim"], [description === "" ? "" : `  ${description}`]],
      },
      ...describeBlocks(block.blocks ?? [], `${indent}  `, withUndo),
    ];
  });
}

/** What runs it as it stands, or as soon as what is in capitals is filled in; in parts that belong on one line. */
function commandFor(target: string, inputs: WorkflowInfo["inputs"], workspace: string): readonly string[] {
  const needed = Object.entries(inputs).filter(([, { required, secret }]) => required && !secret);
  const directory = sameDirectory(workspace, "--workspace").trim();
  return [
    `frond run ${quoteWord(target, "posix")}`,
    ...needed.map(([name, input]) => `--input ${quoteWord(`${name}=${sampleOf(input)}`, "posix")}`),
    ...(directory === "" ? [] : [directory]),
  ];
}

/** On one line if it fits, else as lines that a shell takes for one. */
function adviseRun(parts: readonly string[], terminal: Terminal): string[] {
  const line = `Run it: ${parts.join(" ")}`;
  if (widthOf(line) <= lineWidth(terminal)) return [line];
  return ["Run it:", ...`  ${parts.join(" \\\n    ")}`.split("\n")];
}

const samples: Readonly<Record<string, string>> = { boolean: "true", array: "[]", object: "{}", json: "null" };

function sampleOf({ type, enum: choices, minimum, maximum }: InputInfo): string {
  const [choice] = choices ?? [];
  if (choice !== undefined) return typeof choice === "string" ? choice : JSON.stringify(choice);
  if (type === "integer" || type === "number") return String(minimum ?? Math.min(1, maximum ?? 1));
  return samples[type] ?? "TEXT";
}

function describeBlock(block: WorkflowInfo["blocks"][number]): string {
  const after = block.depends_on.map(({ block: id, required }) => (required ? id : `${id}?`)).join(", ");
  const condition = block.condition === undefined ? "" : ` if ${block.condition.replaceAll(/\s+/g, " ")}`;
  const how = block.for_each ? " for each" : block.repeat ? " repeated" : "";
  const last = block.finally ? " finally" : "";
  return `${block.type}${how}${last}${after === "" ? "" : ` after ${after}`}${condition}`;
}

function describeUndo(block: WorkflowInfo["blocks"][number]): string {
  const failed = block.on_failure === undefined ? "" : `, on failure ${block.on_failure}`;
  const undo = block.undo === undefined || block.blocks !== undefined ? "" : `, undo ${block.undo}`;
  return `${failed}${undo}${block.commit_point === true ? ", commit point" : ""}`;
}
