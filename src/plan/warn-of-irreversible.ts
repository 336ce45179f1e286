import { type Report, reportIn } from "../diagnostic/collect-diagnostics.ts";
import type { FindWorkflow } from "./block-shape.ts";
import { ConcurrentBlocks } from "./concurrent-blocks.ts";
import type { Plan, PlannedBlock } from "./plan.ts";
import { type Around, aroundBlocks, aroundInner, undoCoverage } from "./undo-coverage.ts";

/** More of them tell nothing new. */
const mostWarnings = 20;

/** A block that holds no others of this file, with where it stands: a plan and a place in it, outermost first. */
interface Step {
  readonly block: PlannedBlock;
  readonly way: readonly Place[];
  readonly around: Around;
}

interface Place {
  readonly plan: Plan;
  readonly block: PlannedBlock;
}

/**
 * Whoever writes `rollback` relies on it, so a block that it can't take back is named before anything runs: one that may have run when
 * another block fails, unless a commit point stands between them. Yields for every block.
 */
export function* warnOfIrreversible(plan: Plan, find: FindWorkflow, report: Report): Generator<void> {
  if (!plan.mayRollBack) return;
  const order = new Orders();
  const steps = [...listSteps(plan, aroundBlocks(plan.definition, find), [])];
  // From the end: whatever runs last is most likely after all others.
  const failing = steps.filter(({ block, way }) => leadsToRollback(block, way)).reverse();
  const commitPoints = steps.filter(({ way }) => way.some(({ block }) => block.definition.commitPoint === true));
  let warnings = 0;
  for (const step of steps) {
    yield;
    const { definition } = step.block;
    if (isUnderFinally(step.way) || step.way.some(({ block }) => block.definition.commitPoint === true)) continue;
    const { coverage, why, fix, inside } = declaredAround(step) ? noCoverage : undoCoverage(definition, step.around);
    if (coverage !== "irreversible") continue;
    const shields = commitPoints.filter((point) => order.isAfter(point.way, step.way));
    const failed = failing.find(
      (other) =>
        other !== step &&
        !order.isAfter(step.way, other.way) &&
        !shields.some((shield) => order.isAfter(other.way, shield.way)),
    );
    if (failed === undefined) continue;
    const place = inside === undefined ? `block '${definition.id}'` : `'${inside}' in block '${definition.id}'`;
    reportIn(
      definition.id,
      report,
    )({
      code: "irreversible",
      level: "warning",
      message: `When '${failed.block.definition.id}' fails, the rollback can't take back ${place}: ${why}.`,
      fix: `${fix ?? "Add `undo:`."} Or write \`commit_point: true\` where there is no way back.`,
      range: definition.range,
    });
    if (++warnings === mostWarnings) return;
  }
}

const noCoverage = { coverage: "declared", why: "", fix: undefined, inside: undefined } as const;

/** What holds it says how all of it is taken back. */
function declaredAround({ way }: Step): boolean {
  return way.some(({ block }) => block.definition.undo !== undefined);
}

function isUnderFinally(way: readonly Place[]): boolean {
  return way.some(({ block }) => block.definition.isFinally === true);
}

/** Of a group that is judged as a whole, all that is inside. */
function leadsToRollback(block: PlannedBlock, way: readonly Place[]): boolean {
  return block.onFailure === "rollback" || way.some((at) => at.block.onFailure === "rollback");
}

function* listSteps(plan: Plan, around: Around, way: readonly Place[]): Generator<Step> {
  for (const block of plan.blocks) {
    const here = [...way, { plan, block }];
    if (block.group === undefined) yield { block, way: here, around };
    else yield* listSteps(block.group, aroundInner(block.definition, around), here);
  }
}

/** The order of blocks in any two groups of a workflow. */
class Orders {
  readonly #known = new Map<Plan, ConcurrentBlocks>();

  /** Whether one begins only when the other has ended. */
  isAfter(one: readonly Place[], other: readonly Place[]): boolean {
    for (const [depth, { plan, block }] of one.entries()) {
      const index = other[depth]?.block.index;
      if (index === undefined || index === block.index) continue;
      return this.#of(plan).isAfter(block.index, index);
    }
    return false;
  }

  #of(plan: Plan): ConcurrentBlocks {
    const known = this.#known.get(plan) ?? orderOf(plan);
    this.#known.set(plan, known);
    return known;
  }
}

function orderOf({ blocks }: Plan): ConcurrentBlocks {
  const sorted = blocks.toSorted((one, other) => one.wave - other.wave).map(({ index }) => index);
  return new ConcurrentBlocks(
    blocks.map(({ edges }) => edges),
    sorted,
  );
}
