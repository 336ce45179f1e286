import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { BlockCard, PageEdge } from "../../../views/page/page-records.ts";
import { useApp } from "../../app-context.ts";
import { emptyGraph, useDrawn } from "../../look/use-drawn.ts";
import { type Place, pathTo, placeOfBlock } from "../../place.ts";
import { useKeys } from "../../shell/keys.ts";
import { BlockBox } from "./block-box.tsx";
import { EdgeLines, Legend, legendOf } from "./edge-lines.tsx";
import { keyOfShape, shapeOf } from "./shape.ts";
import { walk } from "./walk.ts";
import { ZoomArea } from "./zoom-area.tsx";
import "../graph.css";

export interface GraphProps {
  readonly blocks: readonly BlockCard[];
  readonly edges: readonly PageEdge[];
  readonly selected: string | undefined;
  select(address: string): void;
  stepIn(address: string): void;
  /** Of a workflow that is not running. */
  readonly isPlan?: boolean;
  readonly label: string;
}

/** Every block as a box, in the column of its wave. */
export function BoxGraph({ blocks, edges, selected, select, stepIn, isPlan = false, label }: GraphProps): JSX.Element {
  const { place } = useApp();
  const graph = useRef<HTMLDivElement>(null);
  // By the sizes that blocks have when it is first seen: nothing moves while a run goes on.
  const key = useMemo(() => `${isPlan} ${keyOfShape(blocks, edges)}`, [blocks, edges, isPlan]);
  const layout = useDrawn("graph", key, () => shapeOf(blocks, edges)) ?? emptyGraph;
  const cards = useMemo(() => new Map(blocks.map((card) => [card.address, card])), [blocks]);
  const legend = useMemo(() => legendOf(edges, isPlan), [edges, isPlan]);
  const open = (address: string, isAgain: boolean): void => {
    if (isAgain && cards.get(address)?.holds !== "none") stepIn(address);
    else select(address);
  };
  const click = (event: MouseEvent): void => {
    const address = addressAt(event.target);
    if (address === undefined || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const isCorner = event.target instanceof Element && event.target.closest("[data-step]") !== null;
    // A link that is opened by Enter is clicked without a pointer.
    open(address, isCorner || (event.detail === 0 && address === selected));
  };
  const press = (event: KeyboardEvent): void => {
    const address = addressAt(event.target);
    const next = address === undefined ? undefined : walk(layout.boxes, edges, address, event.key);
    if (!event.key.startsWith("Arrow") || address === undefined) return;
    event.preventDefault();
    if (next !== undefined && event.currentTarget instanceof Element) focusBlock(event.currentTarget, next);
  };
  // Up and down scroll until the focus is somewhere.
  const enter = (event: KeyboardEvent): void => {
    const first = selected ?? layout.boxes[0]?.id;
    if (event.target !== document.body || graph.current === null || first === undefined) return;
    event.preventDefault();
    focusBlock(graph.current, first);
  };
  useKeys({ ArrowLeft: enter, ArrowRight: enter });
  const step = (event: MouseEvent): void => {
    const address = addressAt(event.target);
    if (address !== undefined) open(address, true);
  };
  const { finallyArea: area } = layout;
  return (
    <div class={layout === emptyGraph ? "graph is-empty" : "graph"} ref={graph}>
      <ZoomArea
        width={layout.width}
        height={layout.height + stackRoom}
        label={label}
        legend={<Legend lines={legend} />}
        onClick={click}
        onDblClick={step}
        onKeyDown={press}
      >
        <g transform={`translate(0 ${stackRoom / 2})`}>
          {area !== undefined && (
            <g class="graph-finally">
              <rect x={area.x + 0.5} y={area.y + 0.5} width={area.width - 1} height={area.height - 1} rx="8" />
              <text x={area.x + area.width / 2} y={area.y + 14}>
                {area.width > 170 ? "finally, however it ends" : "finally"}
              </text>
            </g>
          )}
          <EdgeLines edges={edges} routes={layout.routes} isPlan={isPlan} />
          {layout.boxes.map((box) => {
            const card = cards.get(box.id);
            return (
              card && (
                <BlockBox
                  key={box.id}
                  card={card}
                  box={box}
                  href={hrefOf(place, box.id)}
                  isSelected={box.id === selected}
                  isPlan={isPlan}
                />
              )
            );
          })}
        </g>
      </ZoomArea>
    </div>
  );
}

/** For rings and stacked cards, which stand out of their boxes. */
const stackRoom = 12;

function addressAt(target: EventTarget | null): string | undefined {
  const link = target instanceof Element ? target.closest("[data-address]") : null;
  return link?.getAttribute("data-address") ?? undefined;
}

function focusBlock(within: Element, address: string): void {
  const link = within.querySelector(`[data-address="${CSS.escape(address)}"]`);
  if (link instanceof SVGElement) link.focus();
}

/** A block has an address of its own in a run; in a workflow it is a part of what is asked. */
export function hrefOf(place: Place, address: string): string {
  if (place.view === "run") return pathTo(placeOfBlock(place.runId, address));
  return pathTo(place.view === "workflow" ? { ...place, query: { ...place.query, block: address } } : place);
}
