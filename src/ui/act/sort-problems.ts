import type { ApiProblem } from "../data/source.ts";
import type { Field, FieldProblems } from "./fields.tsx";

/** What is wrong with a form: by field, and what belongs to none. */
export interface Said {
  readonly fields: FieldProblems;
  readonly others: readonly string[];
}

/** A problem of a field stands below it. */
export function sortProblems(
  { message, fix, problems }: Pick<ApiProblem, "message" | "fix" | "problems">,
  inputs: readonly Pick<Field, "name">[],
): Said {
  const fields: Record<string, string> = {};
  const others: string[] = [];
  const add = (said: string, todo = "", field?: string): void => {
    const text = `${said} ${todo}`.trim();
    if (field !== undefined && inputs.some(({ name }) => name === field)) fields[field] ??= text;
    else others.push(text);
  };
  for (const found of problems) add(found.message, found.fix, found.field);
  if (problems.length === 0) add(message, fix);
  return { fields, others };
}
