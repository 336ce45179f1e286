import type { RunEvent } from "../../src/engine/events.ts";
import { isUnderFinally, type RunNode } from "../../src/engine/run-node.ts";
import type { RunState } from "../../src/engine/state.ts";
import type { Report } from "./violation.ts";

/**
 * However often the run changed hands: in each attempt at a workflow `finally` begins once, after everything else has ended, and
 * all of it ends before the workflow does. Only the blocks of workflows that are still there are known to be of `finally`.
 */
export function checkFinally(events: readonly RunEvent[], { nodes }: RunState, report: Report): void {
  const fault = (what: string): void => report("finally comes last", what);
  const begun = new Set<string>();
  const ended = new Set<string>();
  const childrenOf = (path: string): readonly RunNode[] => {
    const inside = nodes.get(path)?.inside;
    return inside?.kind === "workflow" ? inside.children : [];
  };
  const checkEnd = (path: string): void => {
    if (!begun.has(path)) return;
    for (const child of childrenOf(path)) if (!ended.has(child.path)) fault(`'${path}' ends before '${child.path}'`);
  };
  for (const event of events) {
    if (event.type === "run-finished") {
      const hasFinally = childrenOf("").some(isUnderFinally);
      if (hasFinally && !begun.has("")) fault("the run ends without its `finally`");
      checkEnd("");
    }
    if (!("path" in event)) continue;
    const { path, type } = event;
    const node = nodes.get(path);
    const around = node?.parent?.path ?? "";
    if (node !== undefined && isUnderFinally(node) && !begun.has(around)) fault(`${type} of '${path}' is too early`);
    if (type === "block-started") {
      for (const all of [begun, ended]) for (const other of all) if (isAt(other, path)) all.delete(other);
    }
    if (type === "finally-started") {
      if (begun.has(path)) fault(`\`finally\` of '${path}' begins twice`);
      begun.add(path);
      for (const child of childrenOf(path)) {
        if (!isUnderFinally(child) && !ended.has(child.path))
          fault(`\`finally\` begins before '${child.path}' has ended`);
      }
    }
    if (type === "block-finished" || type === "attempt-ended") checkEnd(path);
    if (type === "block-finished" || type === "block-skipped") ended.add(path);
  }
}

function isAt(path: string, around: string): boolean {
  return `${path}/`.startsWith(`${around}/`);
}
