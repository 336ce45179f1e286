import { positionAt, type Range } from "../diagnostic/source.ts";
import type { JsonSchema } from "./key.ts";
import { isNothing, type KeyReader } from "./map-reader.ts";
import type { BlockDefinition } from "./workflow-definition.ts";
import type { YamlNode } from "./yaml-node.ts";

/** Reads one block of a list; its id when that is all that can be read of it. */
export type LoadBlock = (node: YamlNode) => BlockDefinition | string | undefined;

export const blocksMissing = {
  code: "no-blocks",
  fix: "Add `blocks:` with at least one item that has an id and a type.",
} as const;

/** Blocks may hold blocks, so what one is stands in one place: see `blockSchema`. */
export const blocksSchema: JsonSchema = { type: "array", minItems: 1, items: { $ref: "#/$defs/block" } };

/** The blocks of a workflow or of a block. `unreadable` gets the ids of those that can't be read. */
export function readBlocks(
  at: KeyReader,
  load: LoadBlock,
  unreadable: Set<string>,
  noneMessage: string,
): BlockDefinition[] {
  const { entry, node, report } = at;
  if (entry === undefined || node === undefined) return [];
  if (isNothing(node) || (node.kind === "list" && node.items.length === 0)) {
    report({ ...blocksMissing, message: noneMessage, level: "error", range: entry.keyRange });
    return [];
  }
  return readBlockList(at, load, unreadable, []);
}

/** The same where there may be none. Ids are taken by `others` as well. */
export function readBlockList(
  at: KeyReader,
  load: LoadBlock,
  unreadable: Set<string>,
  others: readonly BlockDefinition[],
): BlockDefinition[] {
  const { node, report } = at;
  if (node?.kind === "map") {
    const id = node.entries[0]?.key ?? "build";
    at.wrongType("a list", `Write its items as \`- id: ${id}\` instead of \`${id}:\`.`);
    return [];
  }
  const blocks: BlockDefinition[] = [];
  const seen = new Map(others.map(({ id, range }) => [id, range]));
  for (const item of at.listAt()?.items ?? []) {
    const block = load(item);
    if (block === undefined) continue;
    const id = typeof block === "string" ? block : block.id;
    const range = idRange(item);
    const first = seen.get(id);
    if (first !== undefined) {
      const fix = `Give each block an id of its own; the first is on line ${positionAt(first.source, first.start).line}.`;
      const message = `There are two blocks with the id '${id}'.`;
      report({ code: "duplicate-block", level: "error", message, fix, range });
      continue;
    }
    seen.set(id, range);
    if (typeof block === "string") unreadable.add(block);
    else blocks.push(block);
  }
  return blocks;
}

function idRange(block: YamlNode): Range {
  const entry = block.kind === "map" ? block.entries.find(({ key }) => key === "id") : undefined;
  return entry?.value.range ?? block.range;
}
