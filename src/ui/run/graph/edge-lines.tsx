import type { JSX } from "preact";
import type { DrawnGraph, Route } from "../../../drawing/graph/drawn-graph.ts";
import type { PageEdge } from "../../../views/page/page-records.ts";
import { nameEdge } from "../apply-change.ts";

/** How an edge is drawn; where several are laid on each other, the later ones stand above. */
const drawnOrder = ["not_taken", "open", "went", "failed"] as const;

interface EdgeLinesProps {
  readonly edges: readonly PageEdge[];
  readonly routes: DrawnGraph["routes"];
  readonly isPlan: boolean;
}

export function EdgeLines({ edges, routes, isPlan }: EdgeLinesProps): JSX.Element {
  const inOrder = [...edges].sort((one, other) => rankOf(one) - rankOf(other));
  const byName = new Map(routes.map((route) => [nameEdge(route), route]));
  return (
    <g class="graph-edges">
      {inOrder.map((edge) => {
        const route = byName.get(nameEdge(edge));
        return route && <EdgeLine key={nameEdge(edge)} edge={edge} route={route} isPlan={isPlan} />;
      })}
    </g>
  );
}

function rankOf({ decided, is_critical }: PageEdge): number {
  return drawnOrder.indexOf(decided) + (is_critical === true ? drawnOrder.length : 0);
}

function EdgeLine({
  edge,
  route: { path, start, end },
  isPlan,
}: {
  readonly edge: PageEdge;
  readonly route: Route;
  readonly isPlan: boolean;
}): JSX.Element {
  const kind = edgeClass(edge, isPlan);
  // What is not taken ends before the block, at a bar.
  const isCut = kind === "not_taken";
  return (
    <g class={`graph-edge ${kind}${edge.is_critical === true && !isPlan ? " is-critical" : ""}`}>
      <path d={isCut ? path : `${path}h7`} />
      {isCut && <path class="graph-bar" d={`M${end.x - 7} ${end.y - 4}v8`} />}
      {!isCut && <circle class="graph-port" cx={end.x} cy={end.y} r="2.2" />}
      {edge.kind === "optional" && <circle class="graph-open-port" cx={start.x + 6} cy={start.y} r="3" />}
      {kind === "failed" && <path class="graph-cross" d={`M${end.x - 12} ${end.y - 3}l6 6m0-6l-6 6`} />}
    </g>
  );
}

function edgeClass({ decided, kind }: PageEdge, isPlan: boolean): string {
  if (!isPlan) return decided;
  return decided === "failed" ? "failed" : kind === "condition" ? "conditional" : "went";
}

type LegendLine = readonly [kind: string, says: string];

/** What each kind of edge means in a run, and in a plan where that is another thing. */
const meanings: readonly (readonly [kind: string, inRun: string, inPlan?: string])[] = [
  ["went is-critical", "critical path"],
  ["went", "went on", "then"],
  ["failed", "because it failed", "only if it failed"],
  ["not_taken", "not taken"],
  ["open", "still open"],
  ["conditional", "only if a condition holds"],
  ["optional", "also if it failed"],
];

/** Only what is drawn is explained. */
export function legendOf(edges: readonly PageEdge[], isPlan: boolean): readonly LegendLine[] {
  const drawn = new Set(
    edges.flatMap((edge) => [
      edgeClass(edge, isPlan),
      edge.kind,
      edge.is_critical === true && !isPlan ? "went is-critical" : "",
    ]),
  );
  return meanings
    .filter(([kind]) => drawn.has(kind))
    .map(([kind, inRun, inPlan = inRun]) => [kind, isPlan ? inPlan : inRun]);
}

export function Legend({ lines }: { readonly lines: readonly LegendLine[] }): JSX.Element {
  return (
    <ul class="graph-legend" aria-label="Edges">
      {lines.map(([kind, says]) => (
        <li key={says}>
          <svg width="26" height="10" aria-hidden="true">
            <g class={`graph-edge ${kind}`}>
              <path d={kind === "not_taken" ? "M0 5h18" : "M0 5h26"} />
              {kind === "not_taken" && <path class="graph-bar" d="M19 1v8" />}
              {kind === "failed" && <path class="graph-cross" d="M10 2l6 6m0-6l-6 6" />}
              {kind === "optional" && <circle class="graph-open-port" cx="6" cy="5" r="3" />}
            </g>
          </svg>
          {says}
        </li>
      ))}
    </ul>
  );
}
