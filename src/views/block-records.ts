import { childPath } from "../engine/address.ts";
import type { Metadata } from "../engine/execution.ts";
import { isLoop, type RunNode, shownStatus } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import type { ValueMap } from "../expression/value.ts";

/** A block or a pass of a loop, with what it was given and what it gave. */
export interface BlockRecord {
  /** Address from the root. */
  readonly path: string;
  /** Block id, or the key of the element. */
  readonly name: string;
  /** What is inside it, or will be once it has started. */
  readonly holds: "nothing" | "blocks" | "passes";
  /** With those that were left to their defaults. */
  readonly inputs: ValueMap;
  readonly outputs: ValueMap;
  readonly metadata: Metadata;
}

/** Every block of a run that is known so far, each before what is inside it. */
export function describeBlockRecords({ nodes }: RunState): readonly BlockRecord[] {
  return [...nodes.values()].flatMap((node) => {
    if (node.parent === undefined) return [];
    const { inputs, outputs, metadata } = node.record;
    const record = { inputs, outputs, metadata: { ...metadata, status: shownStatus(node) } };
    return [{ path: node.path, name: node.key, holds: whatIsInside(node), ...record }];
  });
}

function whatIsInside(node: RunNode): BlockRecord["holds"] {
  if (isLoop(node)) return "passes";
  return node.block?.definition.type.behaviour.kind === "leaf" ? "nothing" : "blocks";
}

/** The block whose record a place of a response lies in, and where in that record. `own` is the block that the response is about. */
export function findRecord(
  keys: readonly string[],
  own: string,
): { readonly path: string; readonly rest: readonly string[] } {
  const [part, name, ...inside] = keys;
  if (part !== "blocks" || name === undefined) return { path: own, rest: keys };
  return findRecord(inside, childPath(own, name));
}
