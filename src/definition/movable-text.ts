import { readYaml } from "./read-yaml.ts";
import type { YamlMap, YamlNode } from "./yaml-node.ts";

/**
 * A map of a file as lines of their own, the first key at the left margin, that say the same in another document, whatever number
 * of spaces is put before each line: as its author wrote it, with comments, where that can be.
 */
export function movableText(map: YamlMap): string {
  const written = [() => movedLines(map), () => splitEntries(map)];
  for (const write of written) {
    const text = write();
    if (isSame(map, text)) return text;
  }
  return writeMap(map, "").join("\n");
}

/** Puts lines into a document, below something that stands `spaces` further left. */
export function indentText(text: string, spaces: number): string {
  return text.replaceAll(/^(?=.)/gm, " ".repeat(spaces));
}

/** What stands there, each line as far left as the first. */
function movedLines({ range }: YamlMap): string {
  const { text } = range.source;
  const column = range.start - (text.lastIndexOf("\n", range.start - 1) + 1);
  const margin = new RegExp(`^ {0,${column}}`);
  const [first = "", ...lines] = text.slice(range.start, range.end).split("\n");
  return [first, ...lines.map((line) => line.replace(margin, ""))].join("\n").trimEnd();
}

/** Of one in braces: each entry on a line of its own. */
function splitEntries({ entries }: YamlMap): string {
  return entries.map(({ key, value }) => `${writeText(key)}: ${slice(value)}`).join("\n");
}

function slice({ range }: YamlNode): string {
  return range.source.text.slice(range.start, range.end);
}

/** Whether the text, below an item of a list and before the next, is read as the same map. */
function isSame(map: YamlMap, text: string): boolean {
  const document = `- id: x\n${indentText(text, 2)}\n- id: y\n`;
  const read = readYaml({ name: "", text: document });
  if (!read.ok || read.value.kind !== "list" || read.value.items.length !== 2) return false;
  const [item] = read.value.items;
  return item?.kind === "map" && isSameNode(map, { ...item, entries: item.entries.slice(1) });
}

function isSameNode(one: YamlNode, other: YamlNode): boolean {
  if (one.kind === "scalar") {
    // Of what is no text the spelling may matter: 1.10.
    return (
      other.kind === "scalar" &&
      one.value === other.value &&
      (typeof one.value === "string" || one.written === other.written)
    );
  }
  if (one.kind === "list") {
    return (
      other.kind === "list" &&
      one.items.length === other.items.length &&
      one.items.every((item, index) => isSameNode(item, other.items[index] as YamlNode))
    );
  }
  return (
    other.kind === "map" &&
    one.entries.length === other.entries.length &&
    one.entries.every(({ key, value }, index) => {
      const entry = other.entries[index];
      return entry?.key === key && isSameNode(value, entry.value);
    })
  );
}

function writeMap({ entries }: YamlMap, margin: string): string[] {
  return entries.flatMap(({ key, value }) => writeNode(`${margin}${writeText(key)}:`, value, `${margin}  `));
}

function writeNode(before: string, node: YamlNode, margin: string): string[] {
  if (node.kind === "scalar") {
    return [`${before} ${typeof node.value === "string" ? JSON.stringify(node.value) : node.written || "null"}`];
  }
  if (node.kind === "map") {
    return node.entries.length === 0 ? [`${before} {}`] : [before, ...writeMap(node, margin)];
  }
  if (node.items.length === 0) return [`${before} []`];
  return [before, ...node.items.flatMap((item) => writeNode(`${margin}-`, item, `${margin}  `))];
}

function writeText(text: string): string {
  return /^[A-Za-z_][\w-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
