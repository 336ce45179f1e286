import { toData } from "../../diagnostic/diagnostic.ts";
import { paint } from "../../diagnostic/style.ts";
import { listWorkflows, type WorkflowSummary } from "../../library/describe-workflow.ts";
import { type AddCommand, openWorkspace } from "../context.ts";
import { countOf, explainForTerminal, printDiagnostics, printJson, refuse } from "../print-diagnostics.ts";
import { sameDirectory } from "../same-directory.ts";
import type { Terminal } from "../terminal.ts";
import { cleanLine } from "../visible-text.ts";

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
      const { workflows } = opened.value.runtime;
      const wanted = options.tag ?? [];
      const broken = workflows.library.broken();
      const found = listWorkflows(workflows).filter(({ tags }) => wanted.every((tag) => tags.includes(tag)));
      const warnings = workflows.library.warnings();
      if (options.json) {
        const files = broken.map(({ file, diagnostics }) => ({
          file,
          errors: diagnostics.map((found) => toData(explainForTerminal(found))),
        }));
        return printJson({ workflows: found, broken: files, warnings }, terminal);
      }
      for (const warning of warnings) terminal.writeError(`warning: ${cleanLine(warning)}\n`);
      printTable(found, options.workspace, terminal);
      for (const { file, diagnostics } of broken) {
        terminal.writeError(`\n${paint("broken", "red", terminal.errorColour)} ${cleanLine(file)}\n`);
        printDiagnostics(diagnostics.filter(({ level }) => level === "error").slice(0, 3), terminal);
      }
    });
};

function printTable(workflows: readonly WorkflowSummary[], workspace: string, terminal: Terminal): void {
  if (workflows.length === 0) return terminal.write("No workflows found.\n");
  const width = Math.max(...workflows.map(({ name }) => name.length));
  for (const [group, members] of groupWorkflows(workflows)) {
    terminal.write(`${paint(cleanLine(group), "cyan", terminal.colour)}\n`);
    for (const workflow of members) {
      const trust = `frond trust${sameDirectory(workspace)}`;
      terminal.write(`  ${describeLine(workflow, group, width, trust, terminal)}\n`);
    }
    terminal.write("\n");
  }
  terminal.write(
    `${countOf(workflows.length, "workflow")}. Run one with: frond run NAME${sameDirectory(workspace, "--workspace")}\n`,
  );
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

function describeLine(
  workflow: WorkflowSummary,
  group: string,
  width: number,
  trust: string,
  { colour }: Terminal,
): string {
  const others = workflow.tags.filter((tag) => tag !== group);
  const tags = others.length === 0 ? "" : paint(` [${cleanLine(others.join(", "))}]`, "dim", colour);
  const { standing, replaces_built_in: replaces, trusted } = workflow;
  const notes = [
    ...(replaces ? [`${trusted ? "replaces" : "would replace"} the built-in one`] : []),
    ...(standing === undefined ? [] : [`${standings[standing]}: run \`${trust}\``]),
  ];
  const about = notes.length === 0 ? "" : paint(` ${notes.join("; ")}`, "yellow", colour);
  const first = cleanLine(workflow.description.trim().split("\n")[0] ?? "");
  return `${paint(workflow.name.padEnd(width), "bold", colour)}  ${first}${tags}${about}`;
}
