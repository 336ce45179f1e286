import { toData } from "../../diagnostic/diagnostic.ts";
import { paint } from "../../diagnostic/style.ts";
import { wordSchedule } from "../../library/describe-machines.ts";
import { listWorkflows, type WorkflowSummary } from "../../library/describe-workflow.ts";
import { adviseCommand } from "../advise-command.ts";
import { type AddCommand, openWorkspace } from "../context.ts";
import { countOf, explainForTerminal, printDiagnostics, printJson, refuse } from "../print-diagnostics.ts";
import { sameDirectory } from "../same-directory.ts";
import type { Terminal } from "../terminal.ts";
import { type Entry, layOutEntries } from "../text/lay-out-entries.ts";
import type { Segment } from "../text/lay-out-line.ts";
import { cleanLine, widthOf } from "../text/visible-text.ts";

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
    .argument("[text...]", "only workflows that have all of these words in their name, tags or description")
    .option("--tag <tag...>", "only workflows with all of these tags")
    .option("--workspace <dir>", "directory whose .frond/workflows is included", ".")
    .option("--json", "print one JSON document")
    .action((words: readonly string[], options: Options) => {
      const opened = openWorkspace(options.workspace, context);
      if (!opened.ok) return end(refuse(opened.error, options.json === true, terminal));
      const { workflows } = opened.value.runtime;
      const wanted = options.tag ?? [];
      const isFiltered = words.length + wanted.length > 0;
      const broken = workflows.library.broken();
      const found = listWorkflows(workflows, context.platform.clock.now()).filter(
        (workflow) =>
          wanted.every((tag) => workflow.tags.includes(tag)) && words.every((word) => holds(workflow, word)),
      );
      const warnings = workflows.library.warnings();
      if (options.json) {
        const files = broken.map(({ file, diagnostics }) => ({
          file,
          errors: diagnostics.map((found) => toData(explainForTerminal(found))),
        }));
        return printJson({ workflows: found, broken: files, warnings }, terminal);
      }
      for (const warning of warnings) terminal.writeError(`warning: ${cleanLine(warning)}\n`);
      printTable(found, isFiltered, options.workspace, terminal);
      for (const { file, diagnostics } of broken) {
        terminal.writeError(`\n${paint("broken", "red", terminal.errorColour)} ${cleanLine(file)}\n`);
        printDiagnostics(diagnostics.filter(({ level }) => level === "error").slice(0, 3), terminal);
      }
    });
};

function holds({ name, tags, description }: WorkflowSummary, word: string): boolean {
  return [name, ...tags, description].some((text) => text.toLowerCase().includes(word.toLowerCase()));
}

function printTable(
  workflows: readonly WorkflowSummary[],
  isFiltered: boolean,
  workspace: string,
  terminal: Terminal,
): void {
  const directory = sameDirectory(workspace, "--workspace");
  if (workflows.length === 0) {
    const text = isFiltered ? `No workflow fits. See them all: frond list${directory}` : "No workflows found.";
    return terminal.write(`${text}\n`);
  }
  const trust = `frond trust${sameDirectory(workspace)}`;
  const width = Math.max(...workflows.map(({ name }) => widthOf(cleanLine(name))));
  for (const [group, members] of groupWorkflows(workflows)) {
    terminal.write(`${paint(cleanLine(group), "cyan", terminal.colour)}\n`);
    const lines = layOutEntries(
      members.map((workflow) => describeEntry(workflow, group, width, trust)),
      terminal,
    );
    terminal.write(`${lines.join("\n")}\n\n`);
  }
  const lines = [
    ...adviseCommand(
      `${countOf(workflows.length, "workflow")}. What one takes:`,
      `frond info NAME${directory}`,
      terminal,
    ),
    ...adviseCommand("Run one with:", `frond run NAME${directory}`, terminal),
  ];
  terminal.write(`${lines.join("\n")}\n`);
}

const ownGroups: Readonly<Record<Exclude<WorkflowSummary["source"], "built-in">, string>> = {
  user: "from ~/.frond/workflows",
  "template-path": "from WORKFLOWS_TEMPLATE_PATHS",
  project: "from this project",
};

/** Built-in workflows by their first tag; then those of the user, by where they come from. */
function groupWorkflows(workflows: readonly WorkflowSummary[]): readonly (readonly [string, WorkflowSummary[]])[] {
  const builtIn = new Map<string, WorkflowSummary[]>();
  const own = new Map(Object.values(ownGroups).map((group): [string, WorkflowSummary[]] => [group, []]));
  for (const workflow of workflows) {
    const { source, tags } = workflow;
    const groups = source === "built-in" ? builtIn : own;
    const group = source === "built-in" ? (tags[0] ?? "other") : ownGroups[source];
    groups.set(group, [...(groups.get(group) ?? []), workflow]);
  }
  const sorted = [...builtIn].sort(([a], [b]) => (a < b ? -1 : 1));
  return [...sorted, ...own].filter(([, members]) => members.length > 0);
}

const standings: Readonly<Record<NonNullable<WorkflowSummary["standing"]>, string>> = {
  untrusted: "untrusted",
  new: "new, untrusted",
  changed: "changed, untrusted",
  "other-owner": "belongs to another user, untrusted",
};

function describeEntry(workflow: WorkflowSummary, group: string, width: number, trust: string): Entry {
  const others = workflow.tags.filter((tag) => tag !== group);
  const { standing, replaces_built_in: replaces, trusted } = workflow;
  const notes = [
    ...(replaces ? [`${trusted ? "replaces" : "would replace"} the built-in one`] : []),
    ...(standing === undefined ? [] : [`${standings[standing]}: run \`${trust}\``]),
  ];
  const text: Segment[] = [[cleanLine(workflow.description.trim().split("\n")[0] ?? "")]];
  if (others.length > 0) text.push([` [${cleanLine(others.join(", "))}]`, "dim"]);
  if (workflow.schedule !== undefined) text.push([` ${cleanLine(wordSchedule(workflow.schedule))}`, "cyan"]);
  if (notes.length > 0) text.push([` ${notes.join("; ")}`, "yellow"]);
  const name = cleanLine(workflow.name);
  // As wide in every group.
  return { cells: [[name + " ".repeat(width - widthOf(name)), "bold"]], text };
}
