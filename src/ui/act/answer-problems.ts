import type { Field, FieldProblems } from "./fields.tsx";

/** The server's reasons beside the fields that they are about: `answer.count must be at least 3`. */
export function problemsOf(message: string, fields: readonly Field[]): FieldProblems {
  const found: Record<string, string> = {};
  const reasons = message.replace(/^The answer does not fit: /, "").replace(/\.$/, "");
  for (const reason of reasons.split("; ")) {
    const [, name = "", words = ""] = /^answer(?:\.([^. [\]]+)\S*)? (.*)$/.exec(reason) ?? [];
    const [, missing] = /^needs '(.*)'$/.exec(words) ?? [];
    const field = fields.find((one) => one.name === (missing ?? name));
    if (field !== undefined && words !== "") found[field.name] ??= `It ${missing === undefined ? words : "is needed"}.`;
  }
  return found;
}
