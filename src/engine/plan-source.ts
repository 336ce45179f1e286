import type { Catalog } from "../block/catalog.ts";
import { loadWorkflow } from "../definition/load-workflow.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Plan } from "../plan/plan.ts";
import { type Planned, planWorkflow } from "../plan/plan-workflow.ts";
import { err, ok } from "../util/result.ts";
import type { FrozenDefinition } from "./events.ts";
import type { PlanSource } from "./state.ts";

/** What is known already of workflows that a run uses. */
export interface KnownWorkflows {
  /** Of the texts, by name; nothing for one that can't be used. */
  readonly definitions?: ReadonlyMap<string, WorkflowDefinition | undefined>;
  readonly plans?: readonly Plan[];
}

/** Reads frozen texts one after the other; yields between them. */
export function* loadFrozen(
  definitions: Readonly<Record<string, FrozenDefinition>>,
  catalog: Catalog,
): Generator<void, ReadonlyMap<string, WorkflowDefinition | undefined>> {
  const loaded = new Map<string, WorkflowDefinition | undefined>();
  for (const [name, { file, text }] of Object.entries(definitions)) {
    yield;
    loaded.set(name, loadWorkflow({ name: file, text }, catalog).definition);
  }
  return loaded;
}

/**
 * Plans made from texts frozen in the run's events, each once. The same texts give the same plans, so a run read back later
 * means what it meant when it started.
 */
export function createPlanSource(
  definitions: Readonly<Record<string, FrozenDefinition>>,
  catalog: Catalog,
  known: KnownWorkflows = {},
): PlanSource {
  const plans = new Map((known.plans ?? []).map((plan) => [plan.definition.name, plan]));
  const loaded = new Map(known.definitions);
  for (const { definition } of plans.values()) loaded.set(definition.name, definition);
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
    const made = plans.get(name);
    if (made !== undefined) return ok(made);
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
