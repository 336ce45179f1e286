import { isList, isMap, type Value, type ValueMap } from "../expression/value.ts";
import { fieldName } from "./field-name.ts";

/** A plan as it is written, before its steps are looked at. */
export interface WrittenPlan {
  readonly steps: readonly Value[];
  /** What else the maps around the steps say, the inner ones before the outer ones; by field name. */
  readonly around: ReadonlyMap<string, Value>;
}

const stepsNames: readonly string[] = ["steps", "plan_steps", "tasks", "actions"];
const wrapperNames: readonly string[] = ["plan", "structured_plan", "execution_plan"];
const deepestWrapper = 5;

/** The steps of a plan in any of its shapes: a list, or a map that has them, as deep as maps called `plan` lie in each other. */
export function unwrapPlan(value: Value, depth = 0): WrittenPlan | undefined {
  if (isList(value)) return value.some(isMap) ? { steps: value, around: new Map() } : undefined;
  if (!isMap(value) || depth > deepestWrapper) return undefined;
  const around = new Map(Object.entries(value).map(([name, inner]) => [fieldName(name), inner]));
  const stepsName = stepsNames.find((name) => around.has(name));
  if (stepsName !== undefined) {
    const steps = listSteps(around.get(stepsName) ?? null);
    around.delete(stepsName);
    return steps === undefined ? undefined : { steps, around };
  }
  for (const name of wrapperNames) {
    const inner = unwrapPlan(around.get(name) ?? null, depth + 1);
    if (inner === undefined) continue;
    around.delete(name);
    return { steps: inner.steps, around: new Map([...around, ...inner.around]) };
  }
  return around.has("action_type") ? { steps: [value], around: new Map() } : undefined;
}

/** A plan, or its steps, that stands in a map as a text. */
export function textInPlan(value: Value): string | undefined {
  if (!isMap(value)) return undefined;
  const fields = Object.entries(value).filter(([name]) => [...wrapperNames, ...stepsNames].includes(fieldName(name)));
  const [text] = fields.flatMap(([, inner]) => (typeof inner === "string" ? [inner] : []));
  return text;
}

/** A map of steps has their ids as its keys. */
function listSteps(value: Value): readonly Value[] | undefined {
  if (isList(value)) return value;
  if (!isMap(value) || !Object.values(value).every(isMap)) return undefined;
  return Object.entries(value).map(([id, step]) => ({ step_id: id, ...(step as ValueMap) }));
}
