import { createRandom, pick } from "../crash/random.ts";
import { AreaModel } from "./area-model.ts";
import { randomArea, type TreeEntry } from "./random-tree.ts";
import { type CaseBlock, type CaseWorkflow, type Maker, nextId, writeBlocks, writeFailure } from "./random-workflow.ts";

/** A workspace, and what runs in it, as plain data: it can be printed, and made smaller while it still fails. */
export interface UndoCase {
  readonly tree: readonly TreeEntry[];
  /** Whether the workspace is a git repository: with everything committed, or with only a part of it. */
  readonly git: "none" | "all" | "part";
  readonly root: CaseWorkflow;
  readonly library: Readonly<Record<string, CaseWorkflow>>;
  /** Cancel the run when it has had this many events. */
  readonly cancelAfter?: number;
}

/**
 * `rollback`: something fails, by which everything is taken back. `commit`: the same, but only back to a point. `undo`: it ends as it likes,
 * and is taken back afterwards.
 */
export type CaseKind = "rollback" | "commit" | "undo";

export interface CaseLimits {
  readonly kinds: readonly CaseKind[];
  readonly effects: Maker["effects"];
  readonly mayRestore: boolean;
}

/** What no block touches, so that it can be seen that nobody else does. */
export const quietArea = "quiet";
/** What git ignores, and commands leave alone. */
const ignoredArea = "ignored";

export function makeCase(seed: number, limits: CaseLimits): UndoCase {
  const random = createRandom(seed);
  const kind = pick(random, limits.kinds);
  const tops = ["t0", "t1", "t2"].slice(0, 1 + random(3));
  const areas = tops.map((top) => randomArea(random, top));
  const ignored = randomArea(random, ignoredArea);
  const quiet = randomArea(random, quietArea);
  const gitignore: TreeEntry = { path: ".gitignore", kind: "file", mode: 0o644, content: `${ignoredArea}/\n` };
  const tree = [...areas.flat(), ...ignored, ...quiet, gitignore];
  const models = [
    ...areas.map((entries, index) => AreaModel.of(tops[index] as string, entries)),
    AreaModel.of(ignoredArea, ignored, false),
  ];
  const { effects, mayRestore } = limits;
  const library: Record<string, CaseWorkflow> = {};
  const maker: Maker = { random, library, effects, mayRestore, lastId: 0 };
  const root = writeRoot(maker, models, kind);
  const cancelled = random(kind === "undo" ? 4 : 10) === 0 ? { cancelAfter: random(40) } : {};
  return { tree, git: pick(random, ["none", "all", "part"]), root, library, ...cancelled };
}

function writeRoot(maker: Maker, areas: readonly AreaModel[], kind: CaseKind): CaseWorkflow {
  const { random } = maker;
  const blocks = writeBlocks(maker, areas, 0, kind !== "commit");
  if (kind === "undo") {
    if (random(2) === 0) insertFailure(maker, areas, blocks);
    return { blocks };
  }
  if (kind === "commit") return { blocks: addCommitPoint(maker, areas, blocks), on_failure: "rollback" };
  const failing = insertFailure(maker, areas, blocks);
  if (random(2) === 0) return { blocks, on_failure: "rollback" };
  if (!blocks.includes(failing)) return { blocks, on_failure: "rollback" };
  failing.on_failure = "rollback";
  return { blocks };
}

/** The name of the witness who sees the tree that nothing goes back past. */
export const commitWitness = "commit";

/** Everything so far, the point, everything else: each one only when the one before has ended. */
function addCommitPoint(maker: Maker, areas: readonly AreaModel[], before: CaseBlock[]): CaseBlock[] {
  const committed = { id: nextId(maker), blocks: before, commit_point: true };
  const witness = {
    id: nextId(maker),
    type: "Witness",
    inputs: { name: commitWitness },
    depends_on: [committed.id],
  };
  const after = writeBlocks(maker, areas, 1, false);
  insertFailure(maker, areas, after);
  return [committed, witness, { id: nextId(maker), blocks: after, depends_on: [witness.id] }];
}

/** Anywhere where a failure is not taken for something else: behind any block, with or without others behind it, at any depth. */
function insertFailure(maker: Maker, areas: readonly AreaModel[], root: CaseBlock[]): CaseBlock {
  const { random, library } = maker;
  const blocks = pick(random, listsIn(root, library));
  const area = pick(random, areas);
  // It may run beside others, and nobody may change anything beside those who see the whole tree.
  const isWatched = JSON.stringify([root, library]).includes('"type":"Witness"');
  const failing: CaseBlock = { ...writeFailure(maker, isWatched ? undefined : area) };
  const at = random(blocks.length + 1);
  const before = blocks[at - 1];
  if (before !== undefined && random(3) > 0) failing.depends_on = [{ block: before.id, required: false }];
  blocks.splice(at, 0, failing);
  return failing;
}

function listsIn(blocks: CaseBlock[], library: Readonly<Record<string, CaseWorkflow>>): CaseBlock[][] {
  const inner = blocks.flatMap((block): CaseBlock[][] => {
    if (block.on_failure === "rollback_block" || (block.for_each as unknown[] | undefined)?.length === 0) return [];
    if (block.blocks !== undefined) return listsIn(block.blocks as CaseBlock[], library);
    const called = (block.inputs as { workflow?: string } | undefined)?.workflow;
    return called === undefined ? [] : listsIn(library[called]?.blocks ?? [], library);
  });
  return [blocks, ...inner];
}
