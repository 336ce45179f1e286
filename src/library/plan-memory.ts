import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { FindWorkflow } from "../plan/block-shape.ts";
import type { ExplainMissing } from "../plan/check-calls.ts";
import { type Planned, planInSlices } from "../plan/plan-workflow.ts";

interface Remembered {
  /** The workflows that were asked for, and what was given. */
  readonly found: ReadonlyMap<string, WorkflowDefinition | undefined>;
  readonly planned: Planned;
}

/**
 * The last plan of each definition, for those who plan the same ones again and again. It holds as long as whatever the planner asked
 * for is the same: a plan depends on the definition and on what is called, and on nothing else.
 */
export class PlanMemory {
  readonly #plans = new WeakMap<WorkflowDefinition, Remembered>();

  /** Work that can be interrupted. */
  *plan(definition: WorkflowDefinition, find: FindWorkflow, explain: ExplainMissing): Generator<void, Planned> {
    const known = this.#plans.get(definition);
    if (known !== undefined && [...known.found].every(([key, given]) => find(key) === given)) return known.planned;
    const found = new Map<string, WorkflowDefinition | undefined>();
    let isExplained = false;
    const planned = yield* planInSlices(
      definition,
      (key) => {
        const given = find(key);
        found.set(key, given);
        return given;
      },
      (key) => {
        isExplained = true;
        return explain(key);
      },
    );
    // Why something is missing may change without anything else.
    if (isExplained) this.#plans.delete(definition);
    else this.#plans.set(definition, { found, planned });
    return planned;
  }
}
