import type * as z from "zod";

const kinds: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
  null: "nothing",
};

/** A schema's complaint in the words the rest of Frond uses: `must be a text, not a list`. */
export function explainIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? "must not be empty"
        : `must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}`;
    case "too_big":
      return `must be ${issue.inclusive ? "at most" : "less than"} ${issue.maximum}`;
    case "unrecognized_keys":
      return `has no ${issue.keys.map((key) => `'${key}'`).join(", ")}`;
    case "invalid_union":
      return explainUnion(issue);
    default:
      return issue.message;
  }
}

/** `must be a text, a number or true/false`: the ways of a union as one list. */
function explainUnion(issue: z.core.$ZodIssueInvalidUnion): string {
  const ways = [...new Set(issue.errors.map((errors) => errors.map(explainIssue).join(" and ")))].filter(Boolean);
  if (ways.length === 0) return issue.message;
  if (!ways.every((way) => way.startsWith("must be "))) return ways.join(", or ");
  const kindsOf = ways.map((way) => way.slice("must be ".length).replace("true or false", "true/false"));
  return `must be ${[kindsOf.slice(0, -1).join(", "), ...kindsOf.slice(-1)].filter(Boolean).join(" or ")}`;
}

/** The place of an issue within its input, `operations[0].path`, empty for the input itself. */
export function issuePath(path: readonly PropertyKey[]): string {
  return path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
}
