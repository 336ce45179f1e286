import { describeLimits, type ValueLimits } from "../definition/value-limits.ts";
import type { ValueMap } from "../expression/value.ts";
import { defined } from "../util/defined.ts";

/**
 * JSON Schemas of anything, in words that every client takes: there are some that take one type at a time only, leave out what is said
 * of a value without a type, refuse a schema that says nothing, and take the items of a list for texts where nothing is said of them.
 */
const scalars = ["string", "number", "boolean", "object"].map((type) => ({ type }));

/** Of an element: anything, with lists in lists as deep as anybody has them. */
export const anyItem: ValueMap = { anyOf: [...scalars, { type: "array", items: { anyOf: scalars } }] };

function schemaOfType(type: string): ValueMap {
  return type === "array" ? { type, items: anyItem } : { type };
}

const anyJson: ValueMap = { anyOf: [...scalars, schemaOfType("array"), { type: "null" }] };

/** What an input takes. A pattern that clients would read otherwise is told in words. */
export function limitsSchema(limits: ValueLimits, description?: string): ValueMap {
  const { type, enum: choices, pattern, minimum, maximum, items } = limits;
  const common = pattern === undefined ? undefined : commonPattern(pattern);
  const told = pattern !== undefined && common === undefined ? describeLimits({ type, pattern }) : [];
  const about = [...(description === undefined ? [] : [description]), ...told].join(": ");
  return {
    ...(type === "json" ? anyJson : schemaOfType(type)),
    ...(items === undefined ? {} : { items: limitsSchema(items) }),
    ...defined({ description: about === "" ? undefined : about, enum: choices, pattern: common, minimum, maximum }),
  };
}

/** A pattern of RE2 as JSON Schema has it, which searches; undefined where the two languages differ. */
function commonPattern(pattern: string): string | undefined {
  const searched = `^(?:${pattern})$`;
  try {
    // What only one of the two languages has is a syntax error of the other in this mode.
    new RegExp(searched, "u");
    return searched;
  } catch {
    return undefined;
  }
}
