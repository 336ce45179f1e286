import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { type FindWorkflow, knownChild } from "./block-shape.ts";

/** Blocks under `finally` may have to run when nobody is there and time is short: nothing in them may wait. Yields for every block. */
export function* checkFinally(definition: WorkflowDefinition, find: FindWorkflow, report: Report): Generator<void> {
  for (const block of definition.blocks) {
    if (block.isFinally !== true) continue;
    yield;
    const found = findWaiting(block, find, new Set());
    if (found === undefined) continue;
    const where =
      found.path.length === 0 ? `block '${block.id}'` : `block '${block.id}': '${found.path.join("/")}' in it`;
    report({
      code: "waits-in-finally",
      level: "error",
      block: block.id,
      message: `${where} ${found.waits}, and nothing under \`finally\` may wait.`,
      why: "It runs after cancelling and time limits too, when nobody may be there.",
      fix: found.fix,
      range: block.range,
    });
  }
}

interface Waiting {
  readonly waits: string;
  readonly fix: string;
  /** Below the block under `finally`. */
  readonly path: readonly string[];
}

function findWaiting(block: BlockDefinition, find: FindWorkflow, seen: Set<string>): Waiting | undefined {
  const waits = waitsItself(block);
  if (waits !== undefined) return { ...waits, path: [] };
  const child = knownChild(block, find);
  if (child !== undefined && seen.has(child.name)) return undefined;
  if (child !== undefined) seen.add(child.name);
  for (const inner of block.group?.blocks ?? child?.blocks ?? []) {
    const found = findWaiting(inner, find, seen);
    if (found !== undefined) return { ...found, path: [inner.id, ...found.path] };
  }
  return undefined;
}

function waitsItself({ type, onInterrupted }: BlockDefinition): Omit<Waiting, "path"> | undefined {
  if (onInterrupted === "ask") {
    const fix = "Write `on_interrupted: rerun` or `fail`; without either such a block is run again.";
    return { waits: "says `on_interrupted: ask`", fix };
  }
  if (type.capabilities.includes("prompts")) {
    return { waits: `asks, being of type ${type.type}`, fix: "Ask in a block under `blocks:`." };
  }
  if (type.behaviour.kind !== "leaf" || type.behaviour.wake === undefined) return undefined;
  const fix = "Use `retry:` on the block that has to wait for something.";
  return { waits: `sleeps, being of type ${type.type}`, fix };
}
