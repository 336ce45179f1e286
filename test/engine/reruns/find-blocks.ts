import type { Case, CaseBlock, CaseWorkflow } from "./make-case.ts";

/** A block of a case, and where it stands. */
export interface FoundBlock {
  readonly block: CaseBlock;
  /** The list that it is in. */
  readonly siblings: CaseBlock[];
  readonly workflow: CaseWorkflow;
  /** The group that it is in, or the block that calls its workflow. */
  readonly parent: string | undefined;
  /** Whether it is directly under `finally`. */
  readonly isFinally: boolean;
}

/** Every block of a case by its id. */
export function findBlocks({ root, library }: Case): ReadonlyMap<string, FoundBlock> {
  const found = new Map<string, FoundBlock>();
  const visit = (
    siblings: CaseBlock[],
    workflow: CaseWorkflow,
    parent: string | undefined,
    isFinally = false,
  ): void => {
    for (const block of siblings) {
      found.set(block.id, { block, siblings, workflow, parent, isFinally });
      if (block.blocks !== undefined) visit(block.blocks, workflow, block.id);
      const called = block.type === "ExecuteWorkflow" ? library[String(block.inputs?.workflow)] : undefined;
      if (called !== undefined) visitWorkflow(called, block.id);
    }
  };
  const visitWorkflow = (workflow: CaseWorkflow, parent: string | undefined): void => {
    visit(workflow.blocks, workflow, parent);
    visit(workflow.finally ?? [], workflow, parent, true);
  };
  visitWorkflow(root, undefined);
  return found;
}

/** What a block says itself, without the blocks in it. */
export function ownText({ blocks, outputs, ...own }: CaseBlock): string {
  return JSON.stringify(own);
}

/** The blocks that it depends on or reads, with what vars lead to. A group waits for what the blocks in it read around it. */
export function readsOf({ block, workflow }: FoundBlock): ReadonlySet<string> {
  const depends = (block.depends_on ?? []).map((on) => (typeof on === "string" ? on : on.block));
  const inner = JSON.stringify(block.blocks ?? []);
  const inside = new Set([...inner.matchAll(/"id":"(\w+)"/g)].map(([, id]) => id));
  const around = readIn(inner, workflow).filter((id) => !inside.has(id));
  return new Set([...depends, ...readIn(ownText(block), workflow), ...around]);
}

function readIn(text: string, { vars }: CaseWorkflow): string[] {
  const direct = [...text.matchAll(/blocks\.(\w+)/g)].map(([, id]) => id as string);
  const behind = varsIn(text).flatMap((name) => [...JSON.stringify(vars[name] ?? "").matchAll(/blocks\.(\w+)/g)]);
  return [...direct, ...behind.map(([, id]) => id as string)];
}

export function varsIn(text: string): string[] {
  return [...text.matchAll(/vars\.(\w+)/g)].map(([, name]) => name as string);
}
