import type { Catalog } from "../block/catalog.ts";
import { type Report, reportIn } from "../diagnostic/collect-diagnostics.ts";
import { blockBodyKeys, blockHeadKeys, blockKeys, laterBlockKeys } from "./block-keys.ts";
import { explainBlockKey } from "./foreign-keys.ts";
import { readKeys, refuseUnknown } from "./key.ts";
import type { LoadBlock } from "./load-blocks.ts";
import { firstLine, MapReader } from "./map-reader.ts";
import { placedText } from "./value-template.ts";
import type { BlockDefinition } from "./workflow-definition.ts";
import { describeNode, type YamlNode } from "./yaml-node.ts";

const blockKeyNames = blockKeys.map(({ name }) => name);

/** The block, or its id when that is all that can be read of it. */
export function loadBlock(
  node: YamlNode,
  catalog: Catalog,
  report: Report,
  isInLoop = false,
): BlockDefinition | string | undefined {
  if (node.kind !== "map") {
    const message = `A block is a map with id and type, not ${describeNode(node)}.`;
    report({ code: "wrong-type", level: "error", message, range: node.range });
    return undefined;
  }
  const idNode = node.entries.find((entry) => entry.key === "id")?.value;
  const shownId = idNode?.kind === "scalar" && idNode.value !== null ? placedText(idNode).text : undefined;
  const map =
    shownId === undefined
      ? new MapReader(node, "a block", report)
      : new MapReader(node, `block '${shownId}'`, reportIn(shownId, report));
  if (map.entry("blocks") !== undefined) for (const key of ["type", "max_parallel"]) map.meant.add(key);
  refuseUnknown(map, blockKeys, laterBlockKeys, explainBlockKey(node, catalog, blockKeyNames));
  const { id, type } = readKeys(blockHeadKeys, map, { catalog });
  if (id === undefined || type === undefined) return id;
  const isLooped = isInLoop || map.entry("for_each") !== undefined;
  const loadInner: LoadBlock = (inner) => loadBlock(inner, catalog, report, isLooped);
  const body = readKeys(blockBodyKeys, map, { type, loadInner, isLooped });
  return { id, type, ...body, range: idNode?.range ?? firstLine(node.range) };
}
