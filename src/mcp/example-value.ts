import { isList, isMap, type Value, type ValueMap } from "../expression/value.ts";

/** A value of the shape that a JSON Schema describes, to show what is meant; one that says little gets a text. */
export function exampleOf(schema: ValueMap): Value {
  const { default: fallback, const: only, enum: values, anyOf, oneOf } = schema;
  const known = fallback ?? only ?? firstOf(values);
  if (known !== undefined) return known;
  const way = firstOf(anyOf) ?? firstOf(oneOf);
  if (way !== undefined && isMap(way)) return exampleOf(way);
  switch (firstOf(schema.type) ?? schema.type) {
    case "object":
      return exampleMap(schema);
    case "array":
      return Number(schema.minItems ?? 0) > 0 ? [exampleIn(schema.items)] : [];
    case "integer":
    case "number":
      return schema.minimum ?? Math.min(1, Number(schema.maximum ?? 1));
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return "...";
  }
}

/** With what it can't be without. */
function exampleMap({ properties = {}, required = [] }: ValueMap): ValueMap {
  const names = isList(required) ? required.map(String) : [];
  return Object.fromEntries(names.map((name) => [name, exampleIn(isMap(properties) ? properties[name] : undefined)]));
}

function exampleIn(schema: Value = null): Value {
  return isMap(schema) ? exampleOf(schema) : "...";
}

function firstOf(values: Value | undefined): Value | undefined {
  return values !== undefined && isList(values) ? values[0] : undefined;
}
