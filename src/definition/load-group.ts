import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { count } from "./forms.ts";
import type { Key } from "./key.ts";
import { blocksSchema, type LoadBlock, readBlocks } from "./load-blocks.ts";
import { outputs } from "./load-outputs.ts";
import { KeyReader } from "./map-reader.ts";
import type { BlockDefinition, Group } from "./workflow-definition.ts";

export const blocksInBlock: Key<Group | undefined, { readonly loadInner: LoadBlock }, BlockDefinition> = {
  name: "blocks",
  docs: "Blocks that it holds, instead of a type",
  examples: ["[{ id: install, type: Shell, inputs: { command: npm ci } }]"],
  foreign: ["jobs", "steps", "tasks", "stages"],
  schema: blocksSchema,
  read(at, { loadInner }, { forEach }) {
    if (at.entry === undefined) return undefined;
    const unreadable = new Set<string>();
    const blocks = readBlocks(at, loadInner, unreadable, `${at.what} has no blocks.`);
    const most = forEach === undefined ? count.read(new KeyReader(at.map, "max_parallel"), undefined, {}) : undefined;
    return {
      blocks,
      unreadable,
      outputs: outputs.read(new KeyReader(at.map, "outputs"), undefined, {}),
      ...(most === undefined ? {} : { maxParallel: most }),
    };
  },
};

/** A reference names its block by the id alone, so no id may stand for two of the blocks that can be read at one place. */
export function refuseHiddenIds(blocks: readonly BlockDefinition[], report: Report): void {
  const visible = new Set<string>();
  const enter = (own: readonly BlockDefinition[], holder: string | undefined): void => {
    const added: string[] = [];
    for (const { id, range } of own) {
      if (visible.has(id)) {
        report({
          code: "id-taken",
          level: "error",
          message: `block '${id}' in '${holder}' has the id of a block around it.`,
          why: "Blocks inside a block can read those around it by their ids.",
          fix: "Give it an id of its own.",
          range,
        });
      } else added.push(id);
    }
    for (const id of added) visible.add(id);
    for (const { id, group } of own) if (group !== undefined) enter(group.blocks, id);
    for (const id of added) visible.delete(id);
  };
  enter(blocks, undefined);
}
