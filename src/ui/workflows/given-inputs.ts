import type { PageField as Field } from "../../views/page/act-records.ts";

/** Without what is as the workflow has it by itself: what is told of a start is what was chosen. */
export function givenInputs(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const usual = new Map(fields.map((field) => [field.name, JSON.stringify(field.default)]));
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => usual.get(name) !== JSON.stringify(value)),
  );
}
