import type { Catalog } from "../block/catalog.ts";
import { loadStored } from "../definition/load-stored.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { nameOfKey } from "../definition/workflow-path.ts";
import type { Source } from "../diagnostic/source.ts";
import type { Plan } from "../plan/plan.ts";
import { planStored } from "../plan/plan-workflow.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { atOnce } from "../util/time-slice.ts";
import type { FrozenDefinition } from "./events.ts";
import type { PlanSource } from "./state.ts";

/** What a frozen text says, or what in it this program does not know. */
type Loaded = Result<WorkflowDefinition, string>;

/** What is known already of workflows that a run uses. */
export interface KnownWorkflows {
  /** Of the texts, by key. */
  readonly definitions?: ReadonlyMap<string, Loaded>;
  readonly plans?: ReadonlyMap<string, Plan>;
}

/** Texts that were read lately, of each catalog: many runs have the same ones, and what a text says never changes. */
const lately = new WeakMap<Catalog, Map<string, Loaded>>();
const mostTexts = 16;
const longestText = 100_000;

function loadText(frozen: FrozenDefinition, catalog: Catalog): Loaded {
  const { text } = frozen;
  if (text.length > longestText) return loadStored(thaw(frozen), catalog);
  const read = lately.get(catalog) ?? new Map<string, Loaded>();
  lately.set(catalog, read);
  const key = JSON.stringify(frozen);
  const loaded = read.get(key) ?? loadStored(thaw(frozen), catalog);
  read.delete(key);
  read.set(key, loaded);
  const [oldest] = read.keys();
  if (read.size > mostTexts && oldest !== undefined) read.delete(oldest);
  return loaded;
}

export function thaw({ file, text, reach }: FrozenDefinition): Source {
  return { name: file, text, ...defined({ reach }) };
}

/** Reads frozen texts one after the other; yields between them. */
export function* loadFrozen(
  definitions: Readonly<Record<string, FrozenDefinition>>,
  catalog: Catalog,
): Generator<void, ReadonlyMap<string, Loaded>> {
  const loaded = new Map<string, Loaded>();
  for (const [key, frozen] of Object.entries(definitions)) {
    yield;
    loaded.set(key, loadText(frozen, catalog));
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
  const plans = new Map(known.plans);
  const loaded = new Map(known.definitions);
  for (const [key, { definition }] of plans) loaded.set(key, ok(definition));
  const late = new Map<string, FrozenDefinition>();

  const load = (key: string): Loaded => {
    const before = loaded.get(key);
    if (before !== undefined) return before;
    const frozen = late.get(key) ?? (Object.hasOwn(definitions, key) ? definitions[key] : undefined);
    if (frozen === undefined) return err("The run has no text of it.");
    const definition = loadText(frozen, catalog);
    loaded.set(key, definition);
    return definition;
  };
  const find = (key: string): WorkflowDefinition | undefined => {
    const definition = load(key);
    return definition.ok ? definition.value : undefined;
  };

  return (key, definition) => {
    if (definition !== undefined && !late.has(key)) {
      late.set(key, definition);
      loaded.delete(key);
    }
    const made = plans.get(key);
    if (made !== undefined) return ok(made);
    const stored = load(key);
    const plan = stored.ok ? atOnce(planStored(stored.value, find)) : stored;
    if (!plan.ok) return err(`The workflow '${nameOfKey(key)}' can't be run: ${plan.error}`);
    plans.set(key, plan.value);
    return plan;
  };
}
