import { suggestName } from "../diagnostic/did-you-mean.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { err, ok, type Result } from "../util/result.ts";
import { writeJson } from "../util/write-json.ts";

/**
 * A value in the record of a run or block, by its path there, such as `inputs.command`; what is not found in the record itself is
 * looked for in its outputs: `stdout`. A key that has dots in it is found as well.
 */
export function findField(record: object, field: string): Result<unknown, Problem> {
  const { outputs = {} } = record as { readonly outputs?: object };
  const found = valueAt(record, field) ?? valueAt(outputs, field);
  if (found !== undefined) return ok(found.value);
  const names = [...Object.keys(outputs), ...Object.keys(record)];
  return err(problem("unknown-field", `There is no field '${field}'.`, suggestName(field, names, "field")));
}

function valueAt(value: unknown, field: string): { readonly value: unknown } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, field)) return { value: (value as Record<string, unknown>)[field] };
  for (let dot = field.indexOf("."); dot >= 0; dot = field.indexOf(".", dot + 1)) {
    const key = field.slice(0, dot);
    const inside = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
    const found = valueAt(inside, field.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text as it is; anything else as JSON, which may be longer than any string. */
export function* writeField(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else yield* writeJson(value);
}
