import type { ValueMap } from "../expression/value.ts";

/**
 * JSON Schemas of anything, in words that every client takes: there are some that take one type at a time only, leave out what is said
 * of a value without a type, refuse a schema that says nothing, and take the items of a list for texts where nothing is said of them.
 */
const scalars = ["string", "number", "boolean", "object"].map((type) => ({ type }));

/** Of an element: anything, with lists in lists as deep as anybody has them. */
export const anyItem: ValueMap = { anyOf: [...scalars, { type: "array", items: { anyOf: scalars } }] };

export function schemaOfType(type: string): ValueMap {
  return type === "array" ? { type, items: anyItem } : { type };
}

export const anyJson: ValueMap = { anyOf: [...scalars, schemaOfType("array"), { type: "null" }] };
