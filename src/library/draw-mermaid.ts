import { notesOn } from "./word-graph.ts";
import type { EdgeKind, GraphBlock, WorkflowGraph } from "./workflow-graph.ts";

/**
 * The graph as a Mermaid flowchart: solid arrows are required, dotted ones optional or decided by a condition; what holds blocks is a
 * subgraph, and so are the blocks under `finally`.
 */
export function drawMermaid(graph: WorkflowGraph): string {
  const chart = new Chart();
  const nodes = chart.drawBlocks(graph, "", "  ");
  return `${["flowchart TD", ...nodes, ...chart.arrows].join("\n")}\n`;
}

const arrows: Readonly<Record<EdgeKind, string>> = {
  required: "-->",
  optional: "-. optional .->",
  condition: "-. condition .->",
  inner_condition: "-. condition inside .->",
};

class Chart {
  /** They follow at the end, as Mermaid takes the first mention of a node for its place. */
  readonly arrows: string[] = [];
  readonly #taken = new Set<string>();

  drawBlocks(graph: WorkflowGraph, around: string, indent: string): string[] {
    const ids = graph.blocks.map(({ path }) => this.#newId(path.replaceAll("/", "__")));
    for (const [index, { edges }] of graph.blocks.entries()) {
      for (const { on, kind } of edges) this.arrows.push(`  ${ids[on]} ${arrows[kind]} ${ids[index]}`);
    }
    const draw = (index: number, inner: string): string[] => this.#drawBlock(graph, index, ids[index] ?? "", inner);
    const [main, last] = [false, true].map((isLast) =>
      [...graph.blocks.keys()].filter((index) => (graph.blocks[index]?.finally === true) === isLast),
    ) as [number[], number[]];
    const lines = main.flatMap((index) => draw(index, indent));
    if (last.length === 0) return lines;
    const id = this.#newId(`${around}finally`);
    const title = `${id}["finally, when all others have ended"]`;
    return [...lines, ...subgraph(title, indent, (inner) => last.flatMap((index) => draw(index, inner)))];
  }

  #drawBlock(graph: WorkflowGraph, index: number, id: string, indent: string): string[] {
    const block = graph.blocks[index] as GraphBlock;
    const { inside } = block;
    const what = block.workflow === undefined ? block.type : `${block.type} ${block.workflow}`;
    const label = `"${[block.id, what, ...notesOn(block, graph)].map(escapeLabel).join("<br/>")}"`;
    if (inside !== undefined) {
      return subgraph(`${id}[${label}]`, indent, (inner) => this.drawBlocks(inside, `${id}__`, inner));
    }
    if (block.leftOut !== undefined) return [`${indent}${id}[[${label}]]`];
    return [`${indent}${id}${block.asks ? `{{${label}}}` : `[${label}]`}`];
  }

  /** The words of the block's path, so that the text can be read as it is. */
  #newId(words: string): string {
    const wanted = reserved.has(words) ? `${words}_` : words;
    let id = wanted;
    for (let number = 2; this.#taken.has(id); number++) id = `${wanted}_${number}`;
    this.#taken.add(id);
    return id;
  }
}

/** What Mermaid 12 takes for words of its own, tried one by one; in capitals it has more. */
const reserved: ReadonlySet<string> = new Set([
  "_blank",
  "_parent",
  "_self",
  "_top",
  "call",
  "class",
  "click",
  "default",
  "end",
  "flowchart",
  "graph",
  "href",
  "interpolate",
  "style",
  "subgraph",
]);

function subgraph(title: string, indent: string, draw: (indent: string) => string[]): string[] {
  return [`${indent}subgraph ${title}`, ...draw(`${indent}  `), `${indent}end`];
}

const longestLine = 60;

/**
 * Only what has no meaning of its own in Mermaid, in Markdown or in HTML stays as it is; `_` has one only at the edge of a word, and
 * `$` only beside another. What can't be seen is left out.
 */
function escapeLabel(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, " ").replaceAll(/\p{C}/gu, "").trim()];
  const shown = characters.length > longestLine ? [...characters.slice(0, longestLine - 3), "..."] : characters;
  return shown
    .join("")
    .replaceAll(/\b_+|_+\b|\$(?=\$)|(?<=\$)\$|[^\p{L}\p{N} _.,()[\]{}='/!?+$-]/gu, (found) =>
      [...found].map((character) => named[character] ?? `#${character.codePointAt(0)};`).join(""),
    );
}

const named: Readonly<Record<string, string>> = { "&": "#amp;", '"': "#quot;", "<": "#lt;", ">": "#gt;" };
