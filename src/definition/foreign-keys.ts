import type { Catalog } from "../block/catalog.ts";
import type { BlockType } from "../block/define-block.ts";
import type { YamlEntry, YamlMap } from "./yaml-node.ts";

/** A key that other systems have: what to do about it, and the keys of ours it stands for, which are then not missing. */
export interface ForeignKey {
  readonly fix: string;
  readonly means: readonly string[];
}

export type ExplainKey = (entry: YamlEntry) => ForeignKey | undefined;

function doThis(fix: string, ...means: readonly string[]): ForeignKey {
  return { fix, means };
}

const asCommand = "Write `type: Shell` with `inputs: { command: ... }`.";

const ofBlocks: Readonly<Record<string, ForeignKey>> = {
  unless: doThis("Write `condition: not ...`."),
  run: doThis(asCommand, "type", "inputs"),
  script: doThis(asCommand, "type", "inputs"),
  cmd: doThis(asCommand, "type", "inputs"),
  name: doThis("Write `id:` for the name that others use, or `description:` for words about it.", "id"),
};

const ofWorkflows: Readonly<Record<string, ForeignKey>> = {
  env: doThis("Write it under the blocks that need it: `inputs: { env: { NAME: value } }` of a Shell block."),
  on: doThis("Remove it: a workflow runs when somebody calls it."),
};

function find(keys: Readonly<Record<string, ForeignKey>>, key: string): ForeignKey | undefined {
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

/** A key of ours under the name that another system has for it. */
export function explainForeignKey(
  key: string,
  known: readonly { readonly name: string; readonly foreign?: readonly string[] }[],
): ForeignKey | undefined {
  const meant = known.find(({ foreign }) => foreign?.includes(spelled(key)));
  return meant && doThis(`Write \`${meant.name}:\`.`, meant.name);
}

export const explainWorkflowKey: ExplainKey = ({ key }) => find(ofWorkflows, spelled(key));

/** `{ id: a }` in depends_on. */
export const explainDependencyKey: ExplainKey = ({ key, value }) =>
  ["id", "name", "step", "job"].includes(key)
    ? doThis(
        `Write \`block: ${value.kind === "scalar" && typeof value.value === "string" ? value.value : "ID"}\`.`,
        "block",
      )
    : undefined;

export function explainBlockKey(block: YamlMap, catalog: Catalog): ExplainKey {
  const type = catalog.find(scalarAt(block, "type") ?? "");
  return (entry) => {
    const key = spelled(entry.key);
    if (key === "timeout_minutes") return doThis(`Write \`timeout: ${minutes(entry)}m\`.`);
    if (key === "continue_on_error") {
      const id = scalarAt(block, "id") ?? "ID";
      return doThis(
        `Remove it, and let the block after it say \`depends_on: [{ block: ${id}, required: false }]\`: then that one runs all the same.`,
      );
    }
    return misplacedInput(entry.key, type, catalog) ?? find(ofBlocks, key);
  };
}

/** An input that stands beside `inputs:` instead of below it. */
function misplacedInput(key: string, type: BlockType | undefined, catalog: Catalog): ForeignKey | undefined {
  const has = (candidate: BlockType): boolean => Object.hasOwn(candidate.inputs().shape, key);
  if (type !== undefined && has(type)) {
    return doThis(`It belongs under \`inputs:\`; indent it there: \`inputs: { ${key}: ... }\`.`, "inputs");
  }
  const other = catalog.types.find(has);
  if (other === undefined) return undefined;
  return doThis(
    `It belongs under \`inputs:\` of a block with \`type: ${other.type}\`.`,
    "inputs",
    ...(type ? [] : ["type"]),
  );
}

function minutes({ value }: YamlEntry): string {
  return value.kind === "scalar" && typeof value.value === "number" ? value.written : "5";
}

function scalarAt({ entries }: YamlMap, key: string): string | undefined {
  const value = entries.find((entry) => entry.key === key)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
}

function spelled(key: string): string {
  return key.toLowerCase().replaceAll("-", "_");
}
