import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { lineSize } from "../../../drawing/graph/box-sizes.ts";
import type { Placed, Route, Shape } from "../../../drawing/graph/drawn-graph.ts";
import { fitText } from "../../../drawing/graph/text-width.ts";
import type { BlockCard } from "../../../views/page/page-records.ts";
import { useApp } from "../../app-context.ts";
import { plural } from "../../look/format.ts";
import { OneOf } from "../../look/one-of.tsx";
import { letterOf } from "../../look/standing.ts";
import { countStandings, wordCounts } from "../../look/standing-counts.ts";
import { describeStrip } from "../../look/strip.tsx";
import { emptyGraph, useDrawn } from "../../look/use-drawn.ts";
import { pathTo } from "../../place.ts";
import { nameEdge } from "../apply-change.ts";
import { CellGrid } from "../cell-grid.tsx";
import { describeBlock } from "./block-words.ts";
import { type GraphProps, hrefOf } from "./box-graph.tsx";
import { gridOf, gridPaths, rowsOf } from "./cells.ts";
import { GroupList } from "./group-list.tsx";
import { type Group, type GroupBy, groupBlocks, groupEdges, groupLine } from "./groups.ts";
import { Neighbours } from "./neighbours.tsx";
import { ZoomArea } from "./zoom-area.tsx";

const ways = (["name", "wave", "state", "workflow"] as const).map((way) => [way, way] as const);
const pitch = 6;
const mostColumns = 48;
const top = 44;
const side = 12;

/** More blocks than can be looked at one by one: groups, with a cell for each block. */
export function GroupGraph(props: GraphProps): JSX.Element {
  const { blocks, edges, selected, select, stepIn, label } = props;
  const [by, setBy] = useState<GroupBy>("name");
  const [chosen, setChosen] = useState<string>();
  const next = useMemo(() => {
    const groups = groupBlocks(blocks, by);
    return { groups, lines: groupEdges(groups, edges) };
  }, [blocks, edges, by]);
  const layout = useDrawn("graph", keyOfGroups(next), () => shapeOfGroups(next)) ?? emptyGraph;
  const drawn = useRef(next);
  // While others are laid out, the groups before stay in sight.
  if (layout.boxes.every(({ id }) => next.groups.some(({ name }) => name === id))) drawn.current = next;
  const { groups, lines } = drawn.current;
  const group =
    groups.find(({ name }) => name === chosen) ??
    groups.find((each) => each.blocks.some(({ address }) => address === selected));
  const edgeOf = new Map(lines.map((line) => [nameEdge(line), line]));
  const parting = new Set(lines.map(({ from }) => from).filter((from, index, all) => all.indexOf(from) !== index));
  const byName = new Map(groups.map((each) => [each.name, each]));
  const choose = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest("[data-group]") : null;
    if (link === null) return;
    event.preventDefault();
    setChosen(link.getAttribute("data-group") ?? undefined);
  };
  return (
    <div class={layout === emptyGraph ? "graph is-empty" : "graph"}>
      <div class="graph-ways">
        <span class="faint">{plural(blocks.length, "block")}, grouped by</span>
        <OneOf options={ways} chosen={by} choose={setBy} />
      </div>
      <ZoomArea
        width={layout.width}
        height={layout.height + 12}
        label={label}
        legend={<CellLegend groups={groups} />}
        onClick={choose}
        onDblClick={() => undefined}
        onKeyDown={() => undefined}
      >
        <g transform="translate(0 6)">
          {layout.routes.map((route) => {
            const line = edgeOf.get(nameEdge(route));
            return (
              line && (
                <g key={nameEdge(line)} class={`graph-edge is-many ${line.decided}`}>
                  <path d={`${route.path}h7`} />
                  {line.count > 1 && <EdgeCount count={line.count} route={route} isAtEnd={parting.has(line.from)} />}
                </g>
              )
            );
          })}
          {layout.boxes.map((box) => {
            const each = byName.get(box.id);
            return (
              each && (
                <GroupCard
                  key={box.id}
                  group={each}
                  box={box}
                  isChosen={each === group}
                  selected={selected}
                  select={select}
                  stepIn={stepIn}
                />
              )
            );
          })}
        </g>
      </ZoomArea>
      {group !== undefined && (
        <GroupList group={group} selected={selected} select={select} close={() => setChosen(undefined)} />
      )}
      {selected !== undefined && blocks.some(({ address }) => address === selected) && (
        <Neighbours {...props} selected={selected} />
      )}
    </div>
  );
}

/** Where edges part, the number of each stands at its end. */
function EdgeCount({
  count,
  route: { start, end },
  isAtEnd,
}: {
  readonly count: number;
  readonly route: Route;
  readonly isAtEnd: boolean;
}): JSX.Element {
  const at = isAtEnd ? end : start;
  return (
    <text class={isAtEnd ? "is-end" : ""} x={at.x + (isAtEnd ? -4 : 4)} y={at.y - 6}>
      {count}
    </text>
  );
}

interface GroupCardProps {
  readonly group: Group;
  readonly box: Placed;
  readonly isChosen: boolean;
  readonly selected: string | undefined;
  select(address: string): void;
  stepIn(address: string): void;
}

function GroupCard({ group, box, isChosen, selected, select, stepIn }: GroupCardProps): JSX.Element {
  const { place } = useApp();
  const { blocks, name, strip } = group;
  const index = selected === undefined ? -1 : blocks.findIndex(({ address }) => address === selected);
  const cell = (at: number): BlockCard | undefined => blocks[at];
  const addressOf = (at: number): string => cell(at)?.address ?? "";
  return (
    <g class="graph-group" transform={`translate(${box.x} ${box.y})`}>
      {isChosen && <rect class="graph-ring" x="-4" y="-4" width={box.width + 8} height={box.height + 8} rx="11" />}
      <a class="graph-block plan" href={pathTo(place)} data-group={name} aria-current={isChosen ? "true" : undefined}>
        <title>{`${name} ${plural(blocks.length, "block")}: ${describeStrip(strip)}`}</title>
        <rect class="graph-face" x="0.5" y="0.5" width={box.width - 1} height={box.height - 1} rx="8" />
        <text class="graph-name" x={side} y="19">
          {name}
        </text>
        <text class="graph-count times" x={box.width - side} y="19">
          {blocks.length}
        </text>
        <text class="graph-line" x={side} y="34">
          {fitText(groupLine(group), box.width - 2 * side, lineSize)}
        </text>
      </a>
      <CellGrid
        letters={strip}
        grid={gridOf(blocks.length, mostColumns, pitch)}
        x={side}
        y={top}
        selected={index < 0 ? undefined : index}
        select={(at) => select(addressOf(at))}
        stepIn={(at) => (cell(at)?.holds === "none" ? select(addressOf(at)) : stepIn(addressOf(at)))}
        hrefOf={(at) => hrefOf(place, addressOf(at))}
        describe={(at) => {
          const card = cell(at);
          return card === undefined ? "" : describeBlock(card, Date.now());
        }}
      />
    </g>
  );
}

/** What the cells mean that are there, and how many there are. */
function CellLegend({ groups }: { readonly groups: readonly Group[] }): JSX.Element {
  const all = groups.flatMap(({ blocks }) => blocks.map(({ standing }) => standing));
  return (
    <ul class="graph-legend" aria-label="Cells">
      {wordCounts(countStandings(all)).map(([standing, count, word]) => (
        <li key={standing}>
          <svg class="cells is-pale" width="10" height="10" aria-hidden="true">
            <path class={standing} d={gridPaths(letterOf(standing), oneCell, 0, 0)[0]?.[1]} />
          </svg>
          {count} {word}
        </li>
      ))}
    </ul>
  );
}

const oneCell = { count: 1, columns: 1, pitch: 11 };

interface Grouped {
  readonly groups: readonly Group[];
  readonly lines: readonly { readonly from: string; readonly to: string }[];
}

function keyOfGroups({ groups, lines }: Grouped): string {
  const names = groups.map(({ name, blocks }) => `${name} ${blocks.length}`).join("\n");
  return `groups\n${names}\n\n${lines.map(nameEdge).join("\n")}`;
}

export function shapeOfGroups({ groups, lines }: Grouped): Shape {
  return {
    boxes: groups.map(({ name, blocks }) => {
      const grid = gridOf(blocks.length, mostColumns, pitch);
      const width = Math.max(116, grid.columns * pitch + 2 * side, name.length * 8 + 60);
      return { id: name, width, height: top + rowsOf(grid) * pitch + 10, isFinally: false };
    }),
    edges: lines.map(({ from, to }) => ({ from, to })),
  };
}
