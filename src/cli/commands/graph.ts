import { Option } from "commander";
import { drawMermaid } from "../../library/draw-mermaid.ts";
import { graphOf, listEdges, listNodes } from "../../library/workflow-graph.ts";
import { type AddCommand, openWorkspace } from "../context.ts";
import { drawGraph } from "../graph/draw-graph.ts";
import { parseCount } from "../options/parse-count.ts";
import { printJson, refuse } from "../print-diagnostics.ts";

interface GraphOptions {
  readonly format?: "text" | "mermaid";
  readonly depth?: number;
  readonly workspace: string;
  readonly json?: true;
}

export const addGraphCommand: AddCommand = (program, context, end) => {
  const { terminal } = context;
  program
    .command("graph")
    .description("draw the plan of a workflow: which block waits for which, and what is inside them")
    .argument("<file>", "workflow file or name")
    .addOption(
      new Option(
        "--format <format>",
        "drawn as text, the default in a terminal, or mermaid, the default in a pipe",
      ).choices(["text", "mermaid"]),
    )
    .option(
      "--depth <n>",
      "how many levels of blocks inside blocks are drawn: 1 leaves out all that is inside of others",
      parseCount,
    )
    .option("--workspace <dir>", "directory whose .frond/workflows may be called", ".")
    .option("--json", "print one JSON document")
    .action((target: string, options: GraphOptions) => {
      const json = options.json === true;
      const opened = openWorkspace(options.workspace, context);
      if (!opened.ok) return end(refuse(opened.error, json, terminal));
      const { workflows } = opened.value.runtime;
      const { plan, diagnostics } = workflows.findTarget(target);
      if (plan === undefined) return end(refuse(diagnostics, json, terminal));
      const graph = graphOf(plan, (key) => workflows.planOf(key), options.depth);
      const { name } = plan.definition;
      if (json) {
        const [nodes, edges] = [listNodes(graph), listEdges(graph)];
        return printJson({ workflow: name, nodes, edges, mermaid: drawMermaid(graph) }, terminal);
      }
      const format = options.format ?? (terminal.isTerminal ? "text" : "mermaid");
      if (format === "mermaid") return terminal.write(drawMermaid(graph));
      const columns = terminal.isTerminal ? terminal.columns : Number.POSITIVE_INFINITY;
      const { colour, unicode } = terminal;
      terminal.write(
        drawGraph(name, graph, { columns, colour, unicode })
          .map((line) => `${line}\n`)
          .join(""),
      );
    });
};
