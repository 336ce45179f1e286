import { resolve } from "node:path";
import { undoOf } from "../block/define-block.ts";
import type { FileSystem, RootedPath } from "../block/ports.ts";
import { absolutePath } from "../block/rooted-path.ts";
import { findStage } from "../changes/compare-changes.ts";
import {
  type ChangeGroup,
  type ComposedFile,
  type ComposedMove,
  composeChanges,
  type Stretch,
} from "../changes/compose-changes.ts";
import { effectsOf, isSameState } from "../changes/effects.ts";
import { isTakenBack } from "../changes/is-taken-back.ts";
import type { EntryState } from "../changes/recorded-change.ts";
import { writeState } from "../changes/state-text.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { problem } from "../diagnostic/problem.ts";
import type { NotCaptured } from "../engine/events.ts";
import { type Deed, type Deeds, listDeeds, typeCompensation } from "../engine/list-deeds.ts";
import { isMap } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";
import { refuseElsewhere } from "./choose-queue.ts";
import { findBlock } from "./find-block.ts";
import { findCompensated } from "./find-compensated.ts";
import { findOccupied } from "./find-occupied.ts";
import { isUndone } from "./is-undone.ts";
import { findRun, statusOf, unreadableRun } from "./read-run.ts";
import { hasMet, recallBeside } from "./recall-beside.ts";
import type { Runtime } from "./runtime.ts";
import { selectDeeds, type Undoable, type UndoSelection } from "./select-deeds.ts";
import type { OnConflict, PlannedFile, PlanStep, UndoOptions, UndoPlan } from "./undo-plan.ts";
import { compensationText, writeUndoPlan } from "./write-undo-plan.ts";

/** How a run that has ended, or waits, would be taken back. On another machine than that which has its files nobody can say how they are. */
export async function planUndo(
  runtime: Runtime,
  runId: string,
  options: UndoOptions = {},
): Promise<Result<UndoPlan, readonly Diagnostic[]>> {
  if (options.to !== undefined && options.only !== undefined) {
    const message = "What came after one block and what another one did can't be undone at once.";
    return err([problem("to-and-only", message, "Say either `to` or `only`.")]);
  }
  const read = await readDeeds(runtime, runId);
  if (!read.ok) return read;
  const { state } = read.value;
  for (const path of [options.to, options.only]) {
    const block = path === undefined ? undefined : findBlock(state, path);
    if (block?.ok === false) return err([block.error]);
  }
  const selection = {
    ...(options.only === undefined ? {} : { scope: { path: options.only } }),
    ...(options.to === undefined ? {} : { to: options.to }),
  };
  return ok(await planSelection(runtime, read.value, selection, options.onConflict ?? "keep", options.onConflictOf));
}

/** Of a run whose files are on another machine: nobody looks at them here. */
interface FoundDeeds extends Deeds {
  readonly isElsewhere?: true;
}

async function readDeeds(runtime: Runtime, runId: string): Promise<Result<FoundDeeds, readonly Diagnostic[]>> {
  const { platform, workflows } = runtime;
  const found = await findRun(platform, runId);
  if (!found.ok) return err([found.error]);
  const elsewhere = refuseElsewhere(found.value, platform.host);
  if (elsewhere !== undefined && platform.dispatch === undefined) return err([elsewhere]);
  const status = statusOf(found.value, platform);
  // One that nobody has begun has done nothing.
  if (status === "running" || (status === "queued" && found.value.sequence > 1)) {
    const running = problem("still-running", `${runId} is still ${status}: only what has ended can be undone.`);
    return err([{ ...running, advice: { kind: "end-run", runId } }]);
  }
  const events = await (await platform.journal()).read(runId);
  const deeds = await listDeeds(events, workflows.catalog);
  if (!deeds.ok) return err([unreadableRun(found.value, deeds.error)]);
  if (elsewhere === undefined) return ok(await lookAgain(runtime, deeds.value));
  // What commands have changed is compared with what is kept beside the files.
  const isOpen = deeds.value.deeds.some(({ snapshot }) => snapshot !== undefined) || hasMet(deeds.value.all);
  return isOpen ? err([elsewhere]) : ok({ ...deeds.value, isElsewhere: true });
}

/** Of a run whose engine has died, and which nobody has gone on with, nobody has looked yet what its commands have changed. */
async function lookAgain({ platform }: Runtime, all: Deeds): Promise<Deeds> {
  const { runId } = all.state.started;
  const { redactor } = platform.secrets;
  const holdsSecret = (bytes: Uint8Array): boolean => redactor.isIn(bytes);
  const { signal } = new AbortController();
  const looked = new Map<number, Deed>();
  for (const deed of all.deeds) {
    const { snapshot, workspace, began } = deed;
    if (snapshot === undefined) continue;
    const found = await platform.observer.compare(snapshot, { runId, workspace, signal, holdsSecret });
    const { changes, notCaptured } = found.ok
      ? found.value
      : { changes: [], notCaptured: [{ path: ".", why: found.error }] };
    looked.set(began, {
      ...deed,
      observed: { sequence: all.state.sequence + looked.size + 1, changes, notCaptured },
    });
  }
  const withLooks = (deeds: readonly Deed[]): readonly Deed[] => deeds.map((deed) => looked.get(deed.began) ?? deed);
  return { ...all, deeds: withLooks(all.deeds), all: withLooks(all.all) };
}

/** The same for a part of a run, also of one that is still being driven. */
export async function planSelection(
  runtime: Runtime,
  all: FoundDeeds,
  selection: UndoSelection,
  onConflict: OnConflict,
  onConflictOf: UndoOptions["onConflictOf"] = {},
): Promise<UndoPlan> {
  const { runId, workflow, workspace } = all.state.started;
  const here = all.isElsewhere ? undefined : runtime.platform.files;
  const beside = here === undefined ? new Map() : await recallBeside(runtime, runId, all.all);
  const selected = selectDeeds(all, selection, beside);
  const { deeds, shared } = selected;
  const undoables = await withoutCompensated(runtime, runId, selected.undoables);
  const steps: PlanStep[] = [];
  const files: PlannedFile[] = [];
  let isMovedLater = false;
  for (const section of splitAtCompensations(undoables).toReversed()) {
    if (section.kind === "compensation") {
      steps.push(section);
      continue;
    }
    const stretches = composeChanges(section.groups);
    // Of what was moved, only the whole tells whether it is back.
    const isMoved = undoables.length === section.groups.length && stretches.some(({ moves }) => moves.length > 0);
    if (isMoved && (await isBack(runtime, all, selection, stretches))) break;
    for (const { files: composed, moves, refs } of stretches.toReversed()) {
      // Before a directory is moved back, what lies where it was tells nothing.
      const disk = isMovedLater ? undefined : here;
      const planned = await planFiles(composed, disk, new Set(files.map(({ at }) => absolutePath(at))));
      files.push(...planned);
      const open = planned.filter(({ found }) => found !== "already");
      const moved = await findMoved(moves, disk, files);
      if (open.length + moved.length + refs.length > 0) {
        steps.push({ kind: "restore", files: open, moves: moved, refs });
      }
      isMovedLater ||= moved.length > 0;
    }
  }
  const restores = steps.filter((step) => step.kind === "restore");
  return {
    runId,
    workflow,
    workspace,
    text: writeUndoPlan({ runId, workflow, workspace, steps, onConflict, onConflictOf }),
    blocks: steps.length,
    files: isMovedLater || here === undefined ? files : await findOccupied(files, here),
    moves: restores.flatMap(({ moves }) => moves),
    refs: restores.flatMap(({ refs }) => refs),
    compensations: steps.flatMap((step) => (step.kind === "compensation" ? [nameCompensation(step.deed)] : [])),
    irreversible: deeds.flatMap(explainIrreversible),
    notCaptured: [...shared, ...deeds.flatMap((deed) => lostTo(deed, deeds))],
  };
}

/** What a look could not keep, but for what another block that is undone too had seen before and has seen again. */
function lostTo({ observed, looked, workspace }: Deed, deeds: readonly Deed[]): readonly NotCaptured[] {
  if (observed === undefined || observed.notCaptured.length === 0) return [];
  const since = looked?.sequence ?? 0;
  const earlier = deeds.filter((other) => (other.looked?.sequence ?? since) < since);
  const seen = new Set(
    earlier.flatMap((other) => (other.observed?.changes ?? []).flatMap(effectsOf).map(({ at }) => absolutePath(at))),
  );
  return observed.notCaptured.filter(({ path }) => !seen.has(resolve(workspace, path)));
}

/** Whether it has been taken back already: then what lies at its paths may look like something in between. */
async function isBack(
  { platform }: Runtime,
  { state, isElsewhere }: FoundDeeds,
  { scope, to, sinceCommitPoint }: UndoSelection,
  stretches: readonly Stretch[],
): Promise<boolean> {
  const hasRefs = stretches.some(({ refs }) => refs.length > 0);
  if (!hasRefs && !isElsewhere && (await isTakenBack(stretches, platform.files))) return true;
  if (scope !== undefined || to !== undefined || sinceCommitPoint) return false;
  const { rollback } = state.root.record.metadata;
  const rolledBack = rollback !== undefined && isMap(rollback) ? rollback.undo_run : undefined;
  return isUndone(await platform.journal(), state.started.runId, String(rolledBack));
}

/** What is done for a block by another one is done once. */
async function withoutCompensated(
  runtime: Runtime,
  runId: string,
  undoables: readonly Undoable[],
): Promise<readonly Undoable[]> {
  if (undoables.every(({ kind }) => kind !== "compensation")) return undoables;
  const compensated = await findCompensated(runtime.platform, runtime.workflows.catalog, runId);
  return undoables.filter(({ kind, deed }) => kind !== "compensation" || !compensated.has(deed.address));
}

/** Those that are not back already: what lies where one came from may also have been put there later, and goes before it comes back. */
async function findMoved(
  moves: readonly ComposedMove[],
  files: FileSystem | undefined,
  planned: readonly PlannedFile[],
): Promise<ComposedMove[]> {
  const going = new Set(planned.filter(({ found }) => found === "restorable").map(({ at }) => absolutePath(at)));
  const moved: ComposedMove[] = [];
  for (const move of moves) {
    const mayBeBack = files !== undefined && !going.has(absolutePath(move.from));
    const isBack = mayBeBack && (await isMissing(move.to, files)) && !(await isMissing(move.from, files));
    if (!isBack) moved.push(move);
  }
  return moved;
}

async function isMissing(at: RootedPath, files: FileSystem): Promise<boolean> {
  return (await files.look(at)).kind === "missing";
}

type Section =
  | { readonly kind: "compensation"; readonly deed: Deed }
  | { readonly kind: "changes"; readonly groups: ChangeGroup[] };

/** What is changed before a compensation and after it can't be put together: it may have to do with both. */
function splitAtCompensations(undoables: readonly Undoable[]): readonly Section[] {
  const sections: Section[] = [];
  for (const undoable of undoables) {
    const { deed } = undoable;
    if (undoable.kind === "compensation") {
      sections.push({ kind: "compensation", deed });
      continue;
    }
    let last = sections.at(-1);
    if (last?.kind !== "changes") {
      last = { kind: "changes", groups: [] };
      sections.push(last);
    }
    last.groups.push({ by: deed.address, changes: undoable.changes });
  }
  return sections;
}

/** `plannedBefore`: paths that are taken back before these are, and will then be as these have left them. */
async function planFiles(
  composed: readonly ComposedFile[],
  files: FileSystem | undefined,
  plannedBefore: ReadonlySet<string>,
): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = [];
  for (const { at, by, first, last, stages } of composed) {
    const isKnown = files === undefined || plannedBefore.has(absolutePath(at));
    const stage = isKnown ? last : await findStage(at, stages, files);
    const isBack = isKnown ? writeState(last) === writeState(first) : await isInState(at, first, stage, files);
    const found = isBack
      ? "already"
      : isLost(first, last)
        ? "not-kept"
        : stage === undefined
          ? "conflict"
          : "restorable";
    planned.push({ at, by, now: stage ?? last, before: first, found });
  }
  return planned;
}

/** A stage may leave open what the first state tells. */
async function isInState(
  at: RootedPath,
  state: EntryState,
  stage: EntryState | undefined,
  files: FileSystem,
): Promise<boolean> {
  if (stage === undefined || !isSameState(stage, state)) return false;
  return (await findStage(at, [state], files)) !== undefined;
}

/** Of a file that was given another mode, the bytes are those that it has. */
function isLost(first: EntryState, last: EntryState): boolean {
  if (first.kind !== "file" || first.kept === true) return false;
  return last.kind !== "file" || !isSameState({ ...first, mode: last.mode }, last);
}

function nameCompensation(deed: Deed): UndoPlan["compensations"][number] {
  const type = deed.definition.undo?.definition.type.type ?? typeCompensation(deed)?.type ?? "";
  return { block: deed.address, type, text: compensationText(deed) };
}

/** What a block did that nobody wrote down, and of which its author does not say how it is taken back. */
function explainIrreversible(deed: Deed): UndoPlan["irreversible"] {
  const { definition, address, observed, snapshot, inputs } = deed;
  const { type, undo, effects } = definition;
  const given = Object.entries(inputs).map(([name, value]) => [name, { known: true, value }] as const);
  if (
    undoOf(type, Object.fromEntries(given)) !== "irreversible" ||
    undo !== undefined ||
    // All that it did to the workspace was announced.
    effects === "isolated" ||
    observed !== undefined ||
    snapshot !== undefined
  )
    return [];
  return [{ block: address, why: `what a ${type.type} block does is not recorded, and it has no \`undo:\`` }];
}
