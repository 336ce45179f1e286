import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { type FindWorkflow, knownChild } from "./block-shape.ts";
import { bitsOf, ConcurrentBlocks } from "./concurrent-blocks.ts";
import type { Plan, PlannedBlock } from "./plan.ts";

/**
 * What a command changed is found by looking at the files before and after, so what another one changes meanwhile can't be told from
 * it. Undoing one of them alone then needs commands that are kept apart. Yields for every block.
 */
export function* checkOverlaps(plan: Plan, find: FindWorkflow, report: Report): Generator<void> {
  if (plan.definition.maxParallel === 1 || !hasUndoneAlone(plan)) return;
  yield* new OverlapCheck(find, report).checkPlan(plan, undefined);
}

function hasUndoneAlone({ blocks }: Plan): boolean {
  return blocks.some((block) => undoneAlone(block) !== undefined || (block.group && hasUndoneAlone(block.group)));
}

/** What undoes the block, or one attempt of it, while others go on. */
function undoneAlone({ definition: { retry }, onFailure }: PlannedBlock): string | undefined {
  if (retry?.restore === true) return "`retry.restore`";
  return onFailure === "rollback_block" ? "`on_failure: rollback_block`" : undefined;
}

class OverlapCheck {
  readonly #find: FindWorkflow;
  readonly #report: Report;
  readonly #children = new Map<WorkflowDefinition, boolean>();

  constructor(find: FindWorkflow, report: Report) {
    this.#find = find;
    this.#report = report;
  }

  /** `outside` runs at the same time as all of the plan: another block, or another pass. */
  *checkPlan(plan: Plan, outside: string | undefined): Generator<void> {
    const { blocks, mainBlocks } = plan;
    const besides = this.#findBesides(plan);
    for (const block of blocks) {
      yield;
      const { definition, group, index } = block;
      if (!this.#hasCommand(definition)) continue;
      const among = index < mainBlocks ? besides.main : besides.last;
      const beside = besides.isOneByOne ? undefined : besides.concurrent.first(index, among);
      const found = beside === undefined ? outside : `'${blocks[beside]?.definition.id}'`;
      const passes = runsInPasses(definition) ? "its other passes" : undefined;
      const by = undoneAlone(block);
      const met = found ?? (definition.retry?.restore === true ? passes : undefined);
      if (by !== undefined && met !== undefined) this.#refuse(definition, by, met);
      if (group !== undefined) yield* this.checkPlan(group, found ?? (passes && `other passes of '${definition.id}'`));
    }
  }

  #findBesides({ blocks, mainBlocks, definition }: Plan): Besides {
    const sorted = blocks.toSorted((one, other) => one.wave - other.wave).map(({ index }) => index);
    const commands = blocks.filter((block) => this.#hasCommand(block.definition)).map(({ index }) => index);
    const bits = (indexes: readonly number[]): Uint32Array => bitsOf(indexes, blocks.length);
    return {
      concurrent: new ConcurrentBlocks(
        blocks.map(({ edges }) => edges),
        sorted,
      ),
      main: bits(commands.filter((index) => index < mainBlocks)),
      last: bits(commands.filter((index) => index >= mainBlocks)),
      isOneByOne: definition.maxParallel === 1,
    };
  }

  /** Whether a command in it may change files that others see at once. */
  #hasCommand(block: BlockDefinition): boolean {
    const { type, effects, group } = block;
    if (type.effects === true) return effects !== "isolated" && effects !== "none";
    if (group !== undefined) return group.blocks.some((inner) => this.#hasCommand(inner));
    const child = knownChild(block, this.#find);
    if (child === undefined) return false;
    const known = this.#children.get(child);
    if (known !== undefined) return known;
    this.#children.set(child, false);
    const found = child.blocks.some((inner) => this.#hasCommand(inner));
    this.#children.set(child, found);
    return found;
  }

  #refuse(block: BlockDefinition, by: string, other: string): void {
    const isLeaf = block.type.behaviour.kind === "leaf";
    const where = isLeaf ? "" : ` on the Shell and Agent blocks in '${block.id}'`;
    const isOther = other.startsWith("'");
    const order = isOther ? "let one depend on the other" : "let the passes run one after the other";
    const harmless = isOther ? `, or \`effects: none\` on ${other} if that changes no files` : "";
    this.#report({
      code: "needs-isolated",
      level: "error",
      block: block.id,
      message: `block '${block.id}' can run at the same time as ${other}, and what each of them changes can't be told apart.`,
      why: `${by} would undo what the other one did as well.`,
      fix: `Write \`effects: isolated\`${where}, or ${order}${harmless}.`,
      range: block.range,
    });
  }
}

interface Besides {
  readonly concurrent: ConcurrentBlocks;
  /** Blocks with commands, as bits; those under `finally` run when the others have ended. */
  readonly main: Uint32Array;
  readonly last: Uint32Array;
  readonly isOneByOne: boolean;
}

function runsInPasses({ forEach }: BlockDefinition): boolean {
  return forEach !== undefined && forEach.mode === "parallel" && forEach.maxParallel > 1;
}
