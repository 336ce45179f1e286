import type { LoopInside, RunNode } from "./run-node.ts";

/** Which passes of a loop of the run before are the same as those of this one. */
export class PassMatches {
  readonly #matches = new Map<RunNode, ReadonlyMap<number, RunNode>>();

  /** The pass of the loop before that had the same element. */
  find({ parent, element, block }: RunNode, { inside: before }: RunNode): RunNode | undefined {
    if (parent?.inside.kind !== "loop" || before.kind !== "loop" || element === undefined) return undefined;
    // Its passes are added one by one, and have no elements.
    if (block?.definition.repeat !== undefined) return before.passes[element.index];
    const known = this.#matches.get(parent);
    const matches = known ?? matchPasses(parent.inside, before);
    if (known === undefined) this.#matches.set(parent, matches);
    return matches.get(element.index);
  }
}

/**
 * Elements of a map by key and value, of a list by value: those that stand where they stood first, so that one which reads its index
 * finds it the same, then the others in their order.
 */
function matchPasses(now: LoopInside, before: LoopInside): ReadonlyMap<number, RunNode> {
  const matches = new Map<number, RunNode>();
  const free = new Map<string, RunNode[]>();
  const identities = now.elements.map(identityOf);
  for (const [index, pass] of before.passes.entries()) {
    const identity = identityOf(before.elements[index] as LoopInside["elements"][number]);
    if (identities[index] === identity) matches.set(index, pass);
    else free.set(identity, [...(free.get(identity) ?? []), pass]);
  }
  for (const [index, identity] of identities.entries()) {
    const pass = matches.has(index) ? undefined : free.get(identity)?.shift();
    if (pass !== undefined) matches.set(index, pass);
  }
  return matches;
}

function identityOf({ key, value }: LoopInside["elements"][number]): string {
  return JSON.stringify(typeof key === "number" ? [value] : [key, value]);
}
