import fc from "fast-check";
import { expect, test } from "vitest";
import { drawMermaid } from "./draw-mermaid.ts";
import type { EdgeKind, GraphBlock, WorkflowGraph } from "./workflow-graph.ts";

function block(id: string, more: Partial<GraphBlock> = {}): GraphBlock {
  return { id, path: id, type: "Shell", edges: [], ...more };
}

/** Labels in quotes, in which nothing is left but characters without a meaning in Mermaid, and references such as `#35;`. */
const label = /"(?:[\p{L}\p{N} _.,()[\]{}='/!?+$-]|#\d+;|#(?:amp|quot|lt|gt);|<br\/>)+"/u.source;
const node = String.raw`(?<node>\w+)(?:\[${label}\]|\[\[${label}\]\]|\{\{${label}\}\})`;
const forms = [
  /^flowchart TD$/,
  new RegExp(`^ +${node}$`, "u"),
  new RegExp(String.raw`^ +subgraph (?<node>\w+)\[${label}\]$`, "u"),
  /^ +end$/,
  /^ {2}(?<from>\w+) (?:-->|-\. (?:optional|condition|condition inside) \.->) (?<to>\w+)$/,
];

/** Reads a flowchart line by line; a line that is none of what Mermaid knows is an error. */
function readChart(text: string): { readonly nodes: string[]; readonly edges: string[] } {
  const nodes: string[] = [];
  const edges: string[] = [];
  let depth = 0;
  for (const line of text.trimEnd().split("\n")) {
    const match = forms.map((form) => form.exec(line)).find((found) => found !== null);
    if (match === undefined || match === null) throw new Error(`This is no line of a flowchart: ${line}`);
    const { node: id, from, to } = match.groups ?? {};
    if (id !== undefined) nodes.push(id);
    if (from !== undefined) edges.push(`${from} ${to}`);
    depth += /^ +subgraph /.test(line) ? 1 : /^ +end$/.test(line) ? -1 : 0;
    if (depth < 0) throw new Error("More ends than subgraphs.");
  }
  expect(depth).toBe(0);
  return { nodes, edges };
}

test("ids are those of the blocks, and never words of Mermaid", () => {
  const inside: WorkflowGraph = { blocks: [block("end", { path: "a/end" }), block("b", { path: "a/b" })] };
  const graph = { blocks: [block("end"), block("a__b"), block("a", { type: "group", inside }), block("end_")] };
  expect(readChart(drawMermaid(graph)).nodes).toEqual(["end_", "a__b", "a", "a__end", "a__b_2", "end__2"]);
});

test("what a block says of itself is in its label, and what an arrow means beside it", () => {
  const graph: WorkflowGraph = {
    blocks: [
      block("ask", { type: "Prompt", asks: true }),
      block("each", { for_each: "${inputs.files}", sequential: true, edges: [{ on: 0, kind: "optional" }] }),
      block("tries", {
        attempts: "3",
        allow_failure: true,
        condition: "${blocks.ask.failed}",
        edges: [{ on: 0, kind: "condition" }],
      }),
      block("again", { repeat: { max: "10", until: "${this.succeeded}" }, edges: [{ on: 1, kind: "required" }] }),
      block("call", { type: "ExecuteWorkflow", workflow: "${inputs.name}", leftOut: { why: "computed" } }),
      block("tidy", { finally: true }),
    ],
  };
  expect(drawMermaid(graph)).toBe(`flowchart TD
  ask{{"ask<br/>Prompt"}}
  each["each<br/>Shell<br/>for each of inputs.files, one by one<br/>even if ask fails"]
  tries["tries<br/>Shell<br/>up to 3 attempts<br/>allowed to fail<br/>if blocks.ask.failed"]
  again["again<br/>Shell<br/>repeated until this.succeeded, at most 10 times"]
  call_[["call<br/>ExecuteWorkflow \${inputs.name}<br/>which workflow is known only when it runs"]]
  subgraph finally["finally, when all others have ended"]
    tidy["tidy<br/>Shell"]
  end
  ask -. optional .-> each
  ask -. condition .-> tries
  each --> again
`);
});

test("no text of a workflow leaves its label, whatever is in it", () => {
  const parts = [
    "end",
    '"',
    "#",
    "]",
    "}}",
    "<b>",
    "&lt;",
    ";",
    "style x:#f;",
    "%%{init: {}}%%",
    "\n",
    "`",
    "-->",
    "$$x$$",
    "__x__",
    "日本",
    "😀",
    "\u202e",
  ];
  const texts = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: "grapheme" }), fc.string()), {
    minLength: 1,
    maxLength: 6,
  });
  const kinds = fc.constantFrom<EdgeKind>("required", "optional", "condition", "inner_condition");
  const ids = fc.uniqueArray(fc.constantFrom("end", "style", "graph", "a", "a_2", "end_", "_", "subgraph", "finally"), {
    minLength: 2,
  });
  fc.assert(
    fc.property(ids, texts, texts, kinds, (names, condition, workflow, kind) => {
      const blocks = names.map((id, index) =>
        block(id, {
          condition: `a${condition.join("")}`,
          workflow: workflow.join(""),
          ...(index > 0 ? { edges: [{ on: 0, kind }] } : { finally: true }),
        }),
      );
      const { nodes, edges } = readChart(drawMermaid({ blocks }));
      // The blocks, and the frame of those under `finally`.
      expect(nodes).toHaveLength(names.length + 1);
      expect(new Set(nodes).size).toBe(nodes.length);
      expect(edges).toHaveLength(names.length - 1);
      for (const end of edges.flatMap((edge) => edge.split(" "))) expect(nodes).toContain(end);
    }),
  );
});
