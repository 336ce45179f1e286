import type { Catalog } from "../block/catalog.ts";
import { loadWorkflow } from "../definition/load-workflow.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Plan } from "../plan/plan.ts";
import { type Planned, planWorkflow } from "../plan/plan-workflow.ts";
import { err, ok } from "../util/result.ts";
import type { FrozenDefinition } from "./events.ts";
import type { PlanSource } from "./state.ts";

/**
 * Plans made from texts frozen in the run's events, each once. The same texts give the same plans, so a run read back later
 * means what it meant when it started.
 */
export function createPlanSource(
  definitions: Readonly<Record<string, FrozenDefinition>>,
  catalog: Catalog,
  made: readonly Plan[] = [],
): PlanSource {
  const plans = new Map(made.map((plan) => [plan.definition.name, plan]));
  const loaded = new Map<string, WorkflowDefinition | undefined>(
    made.map(({ definition }) => [definition.name, definition]),
  );
  const late = new Map<string, FrozenDefinition>();

  const load = (name: string): WorkflowDefinition | undefined => {
    if (loaded.has(name)) return loaded.get(name);
    const frozen = late.get(name) ?? (Object.hasOwn(definitions, name) ? definitions[name] : undefined);
    const definition =
      frozen === undefined ? undefined : loadWorkflow({ name: frozen.file, text: frozen.text }, catalog).definition;
    loaded.set(name, definition);
    return definition;
  };

  return (name, definition) => {
    if (definition !== undefined && !late.has(name)) {
      late.set(name, definition);
      loaded.delete(name);
    }
    const known = plans.get(name);
    if (known !== undefined) return ok(known);
    const loadedDefinition = load(name);
    const { plan, diagnostics }: Planned =
      loadedDefinition === undefined ? { diagnostics: [] } : planWorkflow(loadedDefinition, load);
    if (plan === undefined) {
      const problem = diagnostics.find(({ level }) => level === "error")?.message;
      return err(`The workflow '${name}' can't be run${problem === undefined ? "." : `: ${problem}`}`);
    }
    plans.set(name, plan);
    return ok(plan);
  };
}
