import type { CaseBlock } from "./random-workflow.ts";
import type { UndoCase } from "./undo-case.ts";

/** A smaller case that still fails, found by leaving out one thing after the other. */
export async function shrinkCase(
  made: UndoCase,
  fails: (smaller: UndoCase) => Promise<boolean>,
  mostTries = 400,
): Promise<UndoCase> {
  let smallest = made;
  let tries = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerThan(smallest)) {
      if (++tries > mostTries) return smallest;
      if (!(await fails(candidate).catch(() => false))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/** Large parts first. */
function* smallerThan(made: UndoCase): Generator<UndoCase> {
  if (made.cancelAfter !== undefined) {
    const { cancelAfter: _, ...uncancelled } = made;
    yield uncancelled;
  }
  if (made.git !== "none") yield { ...made, git: "none" };
  for (const id of idsIn(made)) yield without(made, id);
  for (const { path } of made.tree) {
    const tree = made.tree.filter((entry) => entry.path !== path && !entry.path.startsWith(`${path}/`));
    yield { ...made, tree };
  }
}

type Holder = { blocks?: CaseBlock[] };

function idsIn(made: UndoCase): string[] {
  const inside = ({ blocks = [] }: Holder): string[] =>
    blocks.flatMap((block) => [block.id, ...inside(block as Holder)]);
  return [made.root, ...Object.values(made.library)].flatMap(inside);
}

function without(made: UndoCase, id: string): UndoCase {
  const copy = structuredClone(made) as { root: Holder; library: Record<string, Holder> } & UndoCase;
  const leaveOut = (holder: Holder): void => {
    if (holder.blocks === undefined) return;
    const left = holder.blocks.find((block) => block.id === id);
    holder.blocks = holder.blocks.filter((block) => block !== left);
    for (const block of holder.blocks) {
      const on = (block.depends_on as (string | { block: string })[] | undefined) ?? [];
      const others = on.filter((one) => (typeof one === "string" ? one : one.block) !== id);
      // Whoever waited for it waits for what it has waited for.
      if (others.length < on.length) block.depends_on = [...others, ...((left?.depends_on as typeof on) ?? [])];
      leaveOut(block as Holder);
    }
  };
  for (const workflow of [copy.root, ...Object.values(copy.library)]) leaveOut(workflow);
  return copy;
}
