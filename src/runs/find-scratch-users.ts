import type { FileSystem } from "../block/ports.ts";
import { scratchDirectory } from "../block/scratch-directory.ts";
import { isLeaf, type RunNode } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";

/**
 * The blocks that share the scratch directory of a run, where that is gone: what one of them left there is not there for the others.
 * One alone has read all that it needs of it.
 */
export async function findScratchUsers({ started, nodes }: RunState, files: FileSystem): Promise<readonly RunNode[]> {
  const users = [...nodes.values()].filter((node) => isLeaf(node) && namesScratch(node));
  if (new Set(users.map(({ block }) => block?.definition)).size < 2) return [];
  const kept = await files.look({ root: started.workspace, path: `${scratchDirectory}/${started.runId}` });
  return "message" in kept || kept.kind !== "directory" ? users : [];
}

/** By what it says or was given; what a program that it starts does with the variable can't be seen. */
function namesScratch({ block, record }: RunNode): boolean {
  if (!block?.definition.type.capabilities.includes("commands")) return false;
  const { source, start, end } = block.definition.range;
  return /SCRATCH/.test(source.text.slice(start, end)) || /SCRATCH/.test(JSON.stringify(record.inputs));
}
