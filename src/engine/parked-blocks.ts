import { isWithin, type RunNode } from "./run-node.ts";

/**
 * Blocks that a budget has no room for now, in the order in which they came. One after the other is called when there may be room: the
 * next one only when the one before has started, or is gone.
 */
export class ParkedBlocks {
  /** By what has the budget. */
  readonly #queues = new Map<RunNode, Map<RunNode, "waits" | "called">>();
  readonly #scopes = new Map<RunNode, RunNode>();

  /** One that was called and found no room keeps its place. */
  park(node: RunNode, scope: RunNode): void {
    if (this.#scopes.get(node) !== scope) this.leave(node);
    this.#scopes.set(node, scope);
    const queue = this.#queues.get(scope) ?? new Map<RunNode, "waits" | "called">();
    this.#queues.set(scope, queue.set(node, "waits"));
  }

  /** Whether it was there. */
  leave(node: RunNode): boolean {
    const scope = this.#scopes.get(node);
    if (scope === undefined) return false;
    this.#scopes.delete(node);
    const queue = this.#queues.get(scope);
    queue?.delete(node);
    if (queue?.size === 0) this.#queues.delete(scope);
    return true;
  }

  /** Whether it waits, and has not been called. */
  isWaiting(node: RunNode): boolean {
    const scope = this.#scopes.get(node);
    return scope !== undefined && this.#queues.get(scope)?.get(node) === "waits";
  }

  /** The next one of each budget at or around a node, unless one is on its way. */
  callAround(node: RunNode): readonly RunNode[] {
    if (this.#queues.size === 0) return [];
    const called: RunNode[] = [];
    for (let at: RunNode | undefined = node; at !== undefined; at = at.parent) {
      const first = this.first(at);
      if (first !== undefined) called.push(first);
    }
    return this.#call(called);
  }

  /** All that lie inside a node. */
  callWithin(node: RunNode): readonly RunNode[] {
    return this.#call([...this.#scopes.keys()].filter((parked) => this.isWaiting(parked) && isWithin(parked, node)));
  }

  /** The one that has waited longest for the budget of a node. */
  first(scope: RunNode): RunNode | undefined {
    const [first] = this.#queues.get(scope) ?? [];
    return first?.[1] === "waits" ? first[0] : undefined;
  }

  #call(nodes: readonly RunNode[]): readonly RunNode[] {
    for (const node of nodes) this.#queues.get(this.#scopes.get(node) as RunNode)?.set(node, "called");
    return nodes;
  }
}
