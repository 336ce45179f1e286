import type { Catalog } from "../block/catalog.ts";
import { reportIn } from "../diagnostic/collect-diagnostics.ts";
import { knowingBlock, noVars } from "../expression/vars.ts";
import { blockBodyKeys, blockHeadKeys, blockKeys, compensationKeys } from "./block-keys.ts";
import { explainBlockKey } from "./foreign-keys.ts";
import { listKeys, readKeys, refuseUnknown } from "./key.ts";
import type { LoadBlock } from "./load-blocks.ts";
import { checkUndo, explainInUndo, reportInUndo } from "./load-undo.ts";
import { firstLine, type KeyReader, MapReader } from "./map-reader.ts";
import { movableText } from "./movable-text.ts";
import { type FileReport, placedText } from "./value-template.ts";
import type { BlockDefinition, Compensation } from "./workflow-definition.ts";
import { describeNode, type YamlNode } from "./yaml-node.ts";

const blockKeyNames = blockKeys.map(({ name }) => name);

/** The block, or its id when that is all that can be read of it. */
export function loadBlock(
  node: YamlNode,
  catalog: Catalog,
  report: FileReport,
  isInLoop = false,
): BlockDefinition | string | undefined {
  if (node.kind !== "map") {
    const message = `A block is a map with id and type, not ${describeNode(node)}.`;
    report({ code: "wrong-type", level: "error", message, range: node.range });
    return undefined;
  }
  const idNode = node.entries.find((entry) => entry.key === "id")?.value;
  const shownId = idNode?.kind === "scalar" && idNode.value !== null ? placedText(idNode).text : undefined;
  const undoes = node.entries.some((entry) => entry.key === "undoes");
  const known = undoes ? knowingUndone(report) : report;
  const map =
    shownId === undefined
      ? new MapReader(node, "a block", known)
      : new MapReader(node, `block '${shownId}'`, reportIn(shownId, known));
  if (map.entry("blocks") !== undefined) for (const key of ["type", "max_parallel"]) map.meant.add(key);
  refuseUnknown(map, blockKeys, explainBlockKey(node, catalog, blockKeyNames));
  const { id, type } = readKeys(blockHeadKeys, map, { catalog });
  if (id === undefined || type === undefined) return id;
  const isLooped = isInLoop || map.entry("for_each") !== undefined;
  const loadInner: LoadBlock = (inner) => loadBlock(inner, catalog, report, isLooped);
  const loadUndo = (at: KeyReader): Compensation | undefined => loadCompensation(at, id, catalog);
  const body = readKeys(blockBodyKeys, map, { type, loadInner, loadUndo, isLooped });
  return { id, type, ...body, range: idNode?.range ?? firstLine(node.range) };
}

/** Expressions of a block that undoes another can read that one as `block`. */
function knowingUndone(report: FileReport): FileReport {
  const own: FileReport = (diagnostic) => report(diagnostic);
  return Object.assign(own, report, { vars: knowingBlock(report.vars ?? noVars) });
}

/** What stands under `undo:` of a block. */
function loadCompensation(at: KeyReader, id: string, catalog: Catalog): Compensation | undefined {
  const node = at.mapAt();
  if (node === undefined)
    return at.node?.kind === "scalar" && at.node.value === null ? at.wrongType("a map") : undefined;
  const map = new MapReader(node, `undo of ${at.what}`, reportInUndo(at.report));
  const known = [blockHeadKeys.type, ...listKeys(compensationKeys)];
  refuseUnknown(map, known, explainInUndo(blockKeyNames, explainBlockKey(node, catalog, blockKeyNames)));
  if (map.entry("blocks") !== undefined) return undefined;
  const { type } = readKeys({ type: blockHeadKeys.type }, map, { catalog });
  if (type === undefined || !checkUndo(type, map)) return undefined;
  const context = { type, loadInner: () => undefined, loadUndo: () => undefined, isLooped: false };
  const body = readKeys(compensationKeys, map, context);
  const definition = { id, type, ...body, dependsOn: [], fileOutputs: [], range: firstLine(node.range) };
  return { definition, text: movableText(node) };
}
