import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { WorkflowGraphRecord } from "../../views/page/workflow-records.ts";
import { plural } from "../look/format.ts";
import { Graph } from "../run/graph.tsx";

interface PlanGraphProps {
  readonly graph: WorkflowGraphRecord;
  /** Shows what is inside a block; without it nothing can be stepped into. */
  stepTo?(address: string): void;
}

/** One level of a workflow before it runs, and what is known of the block that is selected. */
export function PlanGraph({ graph, stepTo }: PlanGraphProps): JSX.Element {
  const [selected, select] = useState<string>();
  const { blocks, edges, crumbs, waves, widest } = graph;
  const card = blocks.find(({ address }) => address === selected);
  const stepIn = (address: string): void => {
    const block = blocks.find((one) => one.address === address);
    if (stepTo !== undefined && (block?.blocks_inside ?? 0) > 0) stepTo(address);
    else select(address);
  };
  return (
    <div class="plan-graph">
      <div class="workflow-bar">
        {crumbs.length > 1 && stepTo !== undefined && (
          <nav aria-label="Inside of">
            {crumbs.slice(0, -1).map(({ address, name }) => (
              <span key={address}>
                <button type="button" class="plain" onClick={() => stepTo(address)}>
                  {name}
                </button>{" "}
                /{" "}
              </span>
            ))}
            <b>{crumbs.at(-1)?.name}</b>
          </nav>
        )}
        <h3>
          {plural(blocks.length, "block")} in {plural(waves, "wave")}
        </h3>
        {widest > 1 && <span class="faint">up to {widest} side by side</span>}
      </div>
      <Graph
        blocks={blocks}
        edges={edges}
        selected={selected}
        select={select}
        stepIn={stepIn}
        isPlan
        label={`Blocks of ${crumbs.at(-1)?.name ?? "the workflow"}`}
      />
      {card !== undefined && (
        <p class="plan-graph-about" aria-live="polite">
          <b>{card.name}</b> {card.about}
          {(card.blocks_inside ?? 0) > 0 && stepTo !== undefined && (
            <button type="button" onClick={() => stepTo(card.address)}>
              Step in
            </button>
          )}
        </p>
      )}
    </div>
  );
}
