import { drawGraph } from "../../library/draw-graph.ts";
import { type AddCommand, openWorkspace } from "../context.ts";
import { printJson, refuse } from "../print-diagnostics.ts";

export const addGraphCommand: AddCommand = (program, context, end) => {
  const { terminal } = context;
  program
    .command("graph")
    .description("print the plan of a workflow as a Mermaid flowchart")
    .argument("<file>", "workflow file or name")
    .option("--workspace <dir>", "directory whose .frond/workflows may be called", ".")
    .option("--json", "print one JSON document")
    .action((target: string, options: { json?: true; workspace: string }) => {
      const json = options.json === true;
      const opened = openWorkspace(options.workspace, context);
      if (!opened.ok) return end(refuse(opened.error, json, terminal));
      const { plan, diagnostics } = opened.value.runtime.workflows.findTarget(target);
      if (plan === undefined) return end(refuse(diagnostics, json, terminal));
      const mermaid = drawGraph(plan);
      if (json) printJson({ workflow: plan.definition.name, mermaid }, terminal);
      else terminal.write(mermaid);
    });
};
