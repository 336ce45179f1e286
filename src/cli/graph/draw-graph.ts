import { countBlocks, notesOn } from "../../library/word-graph.ts";
import type { GraphBlock, WorkflowGraph } from "../../library/workflow-graph.ts";
import { layOutLine, type Segment, widthOfSegments } from "../text/lay-out-line.ts";
import { cleanLine, widthOf } from "../text/visible-text.ts";
import { wrapWords } from "../text/wrap-words.ts";
import { asciiSigns, type LaneRow, type LaneSigns, layOutLanes, lineSigns } from "./lay-out-lanes.ts";
import { orderRows } from "./order-rows.ts";
import { type Line, reduceLines } from "./reduce-edges.ts";

export interface DrawGraphOptions {
  /** Columns of the screen; without end where nobody looks at one. */
  readonly columns: number;
  readonly colour: boolean;
  /** Whether the terminal can show more than ASCII. */
  readonly unicode: boolean;
}

/** The graph as lines, none wider than the screen: a row for each block, what is inside a block below it. */
export function drawGraph(name: string, graph: WorkflowGraph, options: DrawGraphOptions): string[] {
  const picture = new Picture(options);
  picture.add([
    [cleanLine(name), "bold"],
    [`  ${countBlocks(countAll(graph))}`, "dim"],
  ]);
  picture.add([]);
  picture.drawGraph(graph, { before: [], depth: 0 });
  if (picture.legend.size > 0) picture.add([]);
  for (const line of picture.legend) picture.addText(line);
  return picture.lines;
}

function countAll({ blocks }: WorkflowGraph): number {
  return blocks.reduce((count, { inside }) => count + 1 + (inside === undefined ? 0 : countAll(inside)), 0);
}

/** With less room than this, too little is left of what stands beside the lanes. */
const leastText = 24;
/** Nobody follows a line among more than these, also where there is room. */
const mostLanes = 40;
/** Longer ids do not move what stands beside the others. */
const widestId = 24;
const mostNoteRows = 4;

/** Where some blocks are drawn. */
interface Place {
  /** What stands at the left of every line. */
  readonly before: readonly Segment[];
  /** How many blocks are around. */
  readonly depth: number;
}

/** What is the same for blocks that are drawn together. */
interface Section extends Place {
  readonly graph: WorkflowGraph;
  /** Whether lines are drawn; else names say what a block waits for. */
  readonly hasLanes: boolean;
  /** Columns of the lanes. */
  readonly width: number;
  /** Columns of the ids. */
  readonly idWidth: number;
}

class Picture {
  readonly lines: string[] = [];
  /** What has to be said below. */
  readonly legend = new Set<string>();
  readonly #options: DrawGraphOptions;
  readonly #signs: LaneSigns;
  readonly #columns: number;
  /** Workflows that can be seen, and how deep: deeper ones may lack something for want of room. */
  readonly #drawn = new Map<string, number>();

  constructor(options: DrawGraphOptions) {
    this.#options = options;
    this.#signs = options.unicode ? lineSigns : asciiSigns;
    // The last column stays empty: some terminals wrap as soon as it is written to.
    this.#columns = Math.max(1, options.columns - 1);
  }

  add(segments: readonly Segment[]): void {
    this.lines.push(layOutLine(segments, this.#columns, this.#options.colour).trimEnd());
  }

  addText(text: string): void {
    for (const line of wrapWords(text, this.#columns)) this.add([[line, "dim"]]);
  }

  drawGraph(graph: WorkflowGraph, place: Place): void {
    const isLast = (index: number): boolean => graph.blocks[index]?.finally === true;
    const all = [...graph.blocks.keys()];
    const last = all.filter(isLast);
    this.#drawSection(graph, last.length === 0 ? all : all.filter((index) => !isLast(index)), place);
    if (last.length === 0) return;
    // No edge leads there from the others: they all have ended.
    this.add(place.before);
    this.add([...place.before, ["finally, when all others have ended:", "dim"]]);
    this.#drawSection(graph, last, place);
  }

  #drawSection(graph: WorkflowGraph, indexes: readonly number[], place: Place): void {
    const positions = new Map(indexes.map((index, position) => [index, position]));
    const blocks = indexes.map((index) => graph.blocks[index] as GraphBlock);
    const edges = blocks.map((block) => linesOf(block, positions));
    const lines = reduceLines(edges, orderRows(edges));
    const order = orderRows(lines);
    const lanes = layOutLanes(lines, order, this.#lanesThatFit(place), this.#signs);
    if (lanes === undefined) {
      this.legend.add("The lines need more room than there is: what a block waits for is named beside it.");
    } else if (lines.some((own) => own.some(({ dotted }) => dotted))) {
      this.legend.add("A dotted line: the block waits, but the other one need not succeed.");
    }
    const section: Section = {
      ...place,
      graph,
      hasLanes: lanes !== undefined,
      width: (lanes?.width ?? 2) + 1,
      idWidth: Math.min(widestId, Math.max(...blocks.map(({ id }) => widthOf(id)))),
    };
    let hasRowAbove = false;
    const listed = (block: number): LaneRow => ({ block, lanes: this.#signs.block, below: "" });
    for (const row of lanes?.rows ?? order.map(listed)) {
      if (row.above !== undefined && !(row.above.unlessThereIsOne && hasRowAbove)) {
        this.add([...place.before, [row.above.lanes]]);
      }
      const linesBefore = this.lines.length;
      this.#drawBlock(blocks[row.block] as GraphBlock, row, section);
      hasRowAbove = this.lines.length > linesBefore + 1;
    }
  }

  #lanesThatFit({ before }: Place): number {
    const room = this.#columns - widthOfSegments(before);
    return Math.min(mostLanes, Math.max(1, Math.floor(room / 4), Math.floor((room - leastText) / 2)));
  }

  #drawBlock(block: GraphBlock, { lanes, below }: LaneRow, section: Section): void {
    const { before, depth, graph, width, idWidth, hasLanes } = section;
    const left: Segment[] = [...before, [below.padEnd(width)]];
    const isSeen = (this.#drawn.get(block.workflowKey ?? "") ?? Number.POSITIVE_INFINITY) <= depth;
    const notes = [
      ...notesOn(block, graph),
      ...(isSeen ? ["drawn above"] : []),
      ...(hasLanes ? [] : waitWords(block, graph)),
    ].map(cleanLine);
    const id = cleanLine(block.id);
    const type = cleanLine([block.type, ...(block.workflow === undefined ? [] : [block.workflow])].join(" "));
    const head: Segment[] = [...before, [lanes.padEnd(width)], [id.padEnd(idWidth)], ["  "]];
    const separator = this.#options.unicode ? " · " : "; ";
    const about = [type, ...notes].join(separator);
    if (widthOfSegments(head) + widthOf(about) <= this.#columns) this.add([...head, [about, "dim"]]);
    else {
      this.add([...head, [type, "dim"]]);
      this.#drawNotes(notes, separator, [...left, ["  "]]);
    }
    if (block.inside !== undefined && !isSeen) this.#drawInside(block, block.inside, { before: left, depth });
  }

  /** As many in a row as fit; only one that is longer than a row is broken. */
  #drawNotes(notes: readonly string[], separator: string, before: readonly Segment[]): void {
    const room = this.#columns - widthOfSegments(before);
    const packed: string[] = [];
    for (const note of notes) {
      const joined = `${packed.at(-1)}${separator}${note}`;
      if (packed.length > 0 && widthOf(joined) <= room) packed[packed.length - 1] = joined;
      else packed.push(note);
    }
    const rows = packed.flatMap((row) => wrapWords(row, room));
    const shown = rows.slice(0, mostNoteRows);
    if (rows.length > shown.length) shown[shown.length - 1] += this.#options.unicode ? "…" : "...";
    for (const row of shown) this.add([...before, [row, "dim"]]);
  }

  #drawInside({ workflowKey }: GraphBlock, inside: WorkflowGraph, { before, depth }: Place): void {
    const inner: Segment[] = [...before, [this.#options.unicode ? "┃ " : "> ", "dim"]];
    if (this.#columns - widthOfSegments(inner) < leastText) {
      this.add([...inner, [countBlocks(inside.blocks.length), "dim"]]);
      this.legend.add("Where there is no room for the blocks inside, only their number is shown.");
      return;
    }
    if (workflowKey !== undefined) this.#drawn.set(workflowKey, depth);
    this.drawGraph(inside, { before: inner, depth: depth + 1 });
  }
}

/** Between the blocks that are drawn together, by their positions there. */
function linesOf({ edges }: GraphBlock, positions: ReadonlyMap<number, number>): Line[] {
  return edges.flatMap(({ on, kind }) => {
    const position = positions.get(on);
    return position === undefined ? [] : [{ on: position, dotted: kind !== "required" }];
  });
}

function waitWords({ edges }: GraphBlock, { blocks }: WorkflowGraph): string[] {
  return edges.length === 0 ? [] : [`after ${edges.map(({ on }) => blocks[on]?.id ?? "").join(", ")}`];
}
