import { suggestName } from "../diagnostic/did-you-mean.ts";
import { childPath } from "../engine/address.ts";
import { childNodes, type Node } from "../engine/node.ts";
import type { RunState } from "../engine/state.ts";

/** Why no block of the workflow can be meant by an address; nothing when one is, or would be had the run got there. */
export function explainAddress(address: string, { root }: RunState): string | undefined {
  let nodes: readonly Node[] = [root];
  let around = "the workflow";
  for (const part of address.split("/")) {
    const children = nodes.flatMap(childNodes);
    if (children.length === 0) {
      return nodes.some(mayHoldBlocks) ? undefined : `There are no blocks in ${around}.`;
    }
    const meant = part === "*" ? children : children.filter(({ key }) => childPath("", key) === part);
    if (meant.length === 0) {
      const known = [...new Set(children.map(({ key }) => key))];
      return `There is no block '${part}' in ${around}. ${suggestName(part, known, "block")}`;
    }
    nodes = meant;
    around = `'${meant[0]?.path}'`;
  }
  return undefined;
}

function mayHoldBlocks({ block, element }: Node): boolean {
  if (block === undefined) return true;
  const { definition } = block;
  return definition.type.behaviour.kind === "nested" || (definition.forEach !== undefined && element === undefined);
}
