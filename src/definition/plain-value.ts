import type { Value } from "../expression/value.ts";
import { emptyMap } from "./value-template.ts";
import type { YamlNode } from "./yaml-node.ts";

/** Data is data: an expression in it would be text of whoever wrote the file, and is not evaluated. */
export function plainValue(node: YamlNode): Value {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(plainValue);
  const map = emptyMap();
  for (const { key, value } of node.entries) map[key] = plainValue(value);
  return map;
}
