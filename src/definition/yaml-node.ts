import type { Range } from "../diagnostic/source.ts";

/** A YAML document as data with positions: aliases followed, duplicate keys refused, within the limits of the language. */
export type YamlNode = YamlScalar | YamlMap | YamlList;

export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded";

export interface YamlScalar {
  readonly kind: "scalar";
  readonly value: null | boolean | number | string;
  /** The scalar as written, for values whose spelling matters (`version: 1.0`). */
  readonly written: string;
  readonly style: ScalarStyle;
  readonly range: Range;
}

export interface YamlMap {
  readonly kind: "map";
  readonly entries: readonly YamlEntry[];
  readonly range: Range;
}

export interface YamlEntry {
  readonly key: string;
  readonly keyRange: Range;
  readonly value: YamlNode;
}

export interface YamlList {
  readonly kind: "list";
  readonly items: readonly YamlNode[];
  readonly range: Range;
}

export function describeNode(node: YamlNode): string {
  if (node.kind === "map") return "a map";
  if (node.kind === "list") return "a list";
  if (node.value === null) return "nothing";
  if (typeof node.value === "string") return `the text '${shorten(node.value)}'`;
  return `${typeof node.value === "number" ? "the number " : ""}${node.written}`;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 40 ? `${line.slice(0, 37)}...` : line;
}
