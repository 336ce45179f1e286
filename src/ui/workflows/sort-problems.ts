import type { Field, FieldProblems } from "../act/fields.tsx";
import type { ApiProblem } from "../data/source.ts";

/** What is wrong with a form: by field, and what belongs to none. */
export interface Said {
  readonly fields: FieldProblems;
  readonly others: readonly string[];
}

/** A problem that names an input stands below it. */
export function sortProblems(
  { message, fix, problems }: Pick<ApiProblem, "message" | "fix" | "problems">,
  inputs: readonly Pick<Field, "name">[],
): Said {
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const found of problems.length > 0 ? problems : [{ message, ...(fix === undefined ? {} : { fix }) }]) {
    const text = [found.message, found.fix].filter((part) => part !== undefined).join(" ");
    const [, name = ""] = /\binput '([^']+)'/i.exec(found.message) ?? [];
    if (inputs.some((input) => input.name === name)) fields[name] = text;
    else others.push(text);
  }
  return { fields, others };
}
