import type { Catalog } from "../block/catalog.ts";
import { loadStored } from "../definition/load-stored.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Plan } from "../plan/plan.ts";
import { planStored } from "../plan/plan-workflow.ts";
import { err, ok, type Result } from "../util/result.ts";
import { atOnce } from "../util/time-slice.ts";
import type { FrozenDefinition } from "./events.ts";
import type { PlanSource } from "./state.ts";

/** What a frozen text says, or what in it this program does not know. */
type Loaded = Result<WorkflowDefinition, string>;

/** What is known already of workflows that a run uses. */
export interface KnownWorkflows {
  /** Of the texts, by name. */
  readonly definitions?: ReadonlyMap<string, Loaded>;
  readonly plans?: readonly Plan[];
}

/** Reads frozen texts one after the other; yields between them. */
export function* loadFrozen(
  definitions: Readonly<Record<string, FrozenDefinition>>,
  catalog: Catalog,
): Generator<void, ReadonlyMap<string, Loaded>> {
  const loaded = new Map<string, Loaded>();
  for (const [name, { file, text }] of Object.entries(definitions)) {
    yield;
    loaded.set(name, loadStored({ name: file, text }, catalog));
  }
  return loaded;
}

/**
 * Plans made from texts frozen in the run's events, each once. The same texts give the same plans, so a run read back later means
 * what it meant when it started. Nothing is checked here: a text was checked before it was frozen.
 */
export function createPlanSource(
  definitions: Readonly<Record<string, FrozenDefinition>>,
  catalog: Catalog,
  known: KnownWorkflows = {},
): PlanSource {
  const plans = new Map((known.plans ?? []).map((plan) => [plan.definition.name, plan]));
  const loaded = new Map(known.definitions);
  for (const { definition } of plans.values()) loaded.set(definition.name, ok(definition));
  const late = new Map<string, FrozenDefinition>();

  const load = (name: string): Loaded => {
    const before = loaded.get(name);
    if (before !== undefined) return before;
    const frozen = late.get(name) ?? (Object.hasOwn(definitions, name) ? definitions[name] : undefined);
    if (frozen === undefined) return err("The run has no text of it.");
    const definition = loadStored({ name: frozen.file, text: frozen.text }, catalog);
    loaded.set(name, definition);
    return definition;
  };
  const find = (name: string): WorkflowDefinition | undefined => {
    const definition = load(name);
    return definition.ok ? definition.value : undefined;
  };

  return (name, definition) => {
    if (definition !== undefined && !late.has(name)) {
      late.set(name, definition);
      loaded.delete(name);
    }
    const made = plans.get(name);
    if (made !== undefined) return ok(made);
    const stored = load(name);
    const plan = stored.ok ? atOnce(planStored(stored.value, find)) : stored;
    if (!plan.ok) return err(`The workflow '${name}' can't be run: ${plan.error}`);
    plans.set(name, plan.value);
    return plan;
  };
}
