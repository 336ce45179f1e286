import { blocksWithHolders } from "../definition/all-blocks.ts";
import { reportInputProblem, writtenInputs } from "../definition/load-block-inputs.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { FindWorkflow } from "./block-shape.ts";
import { knownValues } from "./prove-values.ts";

/** What a block's type finds wrong with its values, given what is declared of them. Yields for every block. */
export function* checkValues(definition: WorkflowDefinition, find: FindWorkflow, report: Report): Generator<void> {
  for (const { block, holders } of blocksWithHolders(definition)) {
    yield;
    const places = [block, ...(block.undo === undefined ? [] : [block.undo.definition])];
    for (const place of places) {
      const { id, type, inputs, range } = place;
      const known = knownValues(definition, [place, ...holders], find);
      for (const problem of type.checkValues?.(writtenInputs(inputs), known) ?? [])
        reportInputProblem(problem, `${place === block ? "" : "undo of "}block '${id}'`, inputs, range, report);
    }
  }
}
