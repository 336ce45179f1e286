import type { BlockCancelling, RunCancelling } from "../../src/engine/events.ts";
import { isUnderFinally, type RunNode, type WorkflowInside } from "../../src/engine/run-node.ts";

/** `blocks`: all but what is under `finally`, at any depth. `finally`: what is under its own. `everything`: somebody insists. */
type Reach = "blocks" | "finally" | "everything";

/** What is being ended early, and how far that reaches, by rules of its own: it shares nothing with what the engine asks. */
export class EarlyEndings {
  readonly #reaches = new Map<string, Set<Reach>>();

  cancelRun({ forced }: RunCancelling): void {
    this.#add("", forced ? "everything" : "blocks");
  }

  /** What has come to its `finally` has nothing else to end. */
  cancelBlock({ path }: BlockCancelling, { inside }: RunNode): void {
    this.#add(path, (inside as WorkflowInside).closing === undefined ? "blocks" : "finally");
  }

  /** Whether something around a node ends it. */
  reach(node: RunNode): boolean {
    let shields = 0;
    for (let at = node; at.parent !== undefined; at = at.parent) {
      const isShield = isUnderFinally(at);
      if (isShield) shields++;
      const reaches = this.#reaches.get(at.parent.path);
      if (reaches?.has("everything")) return true;
      if (reaches?.has("blocks") && shields === 0) return true;
      if (reaches?.has("finally") && isShield && shields === 1) return true;
    }
    return false;
  }

  /** Whether the blocks in a node, other than those under `finally`, are ended: because of itself, or of something around it. */
  endsBlocksOf(node: RunNode): boolean {
    const own = this.#reaches.get(node.path);
    return own?.has("blocks") || own?.has("everything") || this.reach(node);
  }

  /** A new attempt begins with nothing of that. */
  forget(path: string): void {
    for (const other of this.#reaches.keys()) if (`${other}/`.startsWith(`${path}/`)) this.#reaches.delete(other);
  }

  #add(path: string, reach: Reach): void {
    const reaches = this.#reaches.get(path) ?? new Set();
    this.#reaches.set(path, reaches.add(reach));
  }
}
