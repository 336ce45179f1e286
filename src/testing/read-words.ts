import type { MapReader } from "../definition/map-reader.ts";
import { placedText } from "../definition/value-template.ts";
import { describeNode, type YamlNode } from "../definition/yaml-node.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";

/** A list of words, such as names of programs. */
export function readWords(reader: MapReader, key: string, what: string, report: Report): string[] {
  const words: string[] = [];
  for (const item of reader.listAt(key)?.items ?? []) {
    const word = readText(item, what, report);
    if (word !== undefined) words.push(word);
  }
  return words;
}

/** A text, also one that looks like a number. */
export function readText(node: YamlNode, what: string, report: Report): string | undefined {
  if (node.kind === "scalar" && node.value !== null) return placedText(node).text;
  const message = `Here ${what} is expected, not ${describeNode(node)}.`;
  report({ code: "wrong-type", level: "error", message, range: node.range });
  return undefined;
}
