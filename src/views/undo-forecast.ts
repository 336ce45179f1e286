import { absolutePath, shownPath } from "../block/rooted-path.ts";
import { isSameState } from "../changes/effects.ts";
import type { EntryState } from "../changes/recorded-change.ts";
import type { Platform } from "../runs/platform.ts";
import type { PlannedFile, UndoPlan } from "../runs/undo-plan.ts";
import { unifiedDiff } from "../util/unified-diff.ts";
import { readContents, readPresent } from "./change-contents.ts";
import { readUndoChain, type UndoChain } from "./undo-chain.ts";

/** What an undo would do, for every door. Nothing of it has happened. */
export interface UndoForecast extends UndoChain {
  readonly status: "plan";
  /** The run whose effects are taken back. */
  readonly run_id: string;
  readonly files: readonly UndoneFile[];
  /** Directories that are moved back as a whole. */
  readonly moves?: readonly { readonly from: string; readonly to: string; readonly by: readonly string[] }[];
  readonly refs?: UndoPlan["refs"];
  /** Blocks that say themselves how they are undone, with the text that says it. */
  readonly compensations?: UndoPlan["compensations"];
  /** Blocks that ran and can't be taken back. */
  readonly irreversible?: UndoPlan["irreversible"];
  /** What was changed and can't be brought back, for it was not kept or may be another block's. */
  readonly not_captured?: UndoPlan["notCaptured"];
  /** The undo as a workflow: it can be read, edited, saved and run. Absent where there is nothing to undo. */
  readonly workflow_yaml?: string;
}

/** `restored`: it was changed; `removed`: the run made it; `brought back`: the run deleted it; `moved back`: from `from`. */
export type UndoWord = "restored" | "removed" | "brought back" | "moved back";

export interface UndoneFile {
  readonly path: string;
  /** Unless it is a file. */
  readonly kind?: "directory" | "link";
  readonly undo: UndoWord;
  readonly from?: string;
  /** Whether that can be done: `already` as before; `conflict`: changed since; `not-kept`: nobody has what it held. */
  readonly found: PlannedFile["found"];
  /** Addresses of the blocks that changed it. */
  readonly by: readonly string[];
  readonly lines_added?: number;
  readonly lines_removed?: number;
  /** From how it is now to how it was. */
  readonly diff?: string;
}

export interface DescribeUndoOptions {
  /** Files that were changed since have a diff, too: from how they lie there now to how they were. */
  readonly withConflicts?: true;
}

export async function describeUndoPlan(
  plan: UndoPlan,
  platform: Platform,
  { withConflicts }: DescribeUndoOptions = {},
): Promise<UndoForecast> {
  const files: UndoneFile[] = [];
  for (const file of pairMoves(joinSteps(plan.files))) {
    const described = await describeFile(file, platform);
    const conflict = withConflicts && file.found === "conflict" ? await describePresent(file, platform) : {};
    files.push({ ...described, ...conflict });
  }
  files.sort((one, other) => (one.path < other.path ? -1 : 1));
  const { runId, refs, compensations, irreversible, notCaptured, text } = plan;
  const moves = plan.moves.map(({ from, to, by }) => ({ from: shownPath(to), to: shownPath(from), by }));
  return {
    status: "plan",
    run_id: runId,
    ...(await readUndoChain(platform, runId)),
    files,
    ...(moves.length === 0 ? {} : { moves }),
    ...(refs.length === 0 ? {} : { refs: refs.map(({ name, by }) => ({ name, by })) }),
    ...(compensations.length === 0 ? {} : { compensations }),
    ...(irreversible.length === 0 ? {} : { irreversible }),
    ...(notCaptured.length === 0 ? {} : { not_captured: notCaptured }),
    ...(plan.blocks === 0 ? {} : { workflow_yaml: text }),
  };
}

/** Why there is nothing to undo. */
export function explainNothing({ files, undone_by: undone, redone_by: redone }: UndoForecast): string {
  if (files.length > 0 && files.every(({ found }) => found === "already")) {
    return "everything that it changed is as before already";
  }
  // What was rolled back is not listed any more.
  if (files.length > 0 || (undone ?? redone) === undefined) return "it changed nothing that Frond could take back";
  return redone === undefined ? "what it changed was taken back already" : "another run did again what it had changed";
}

/**
 * One for each path, though it is restored more than once where a compensation comes between: from how it is now, in the order of the
 * plan, to how it was at first. What is found where something is left to do decides.
 */
function joinSteps(files: readonly PlannedFile[]): readonly PlannedFile[] {
  const byPath = new Map<string, PlannedFile[]>();
  for (const file of files) {
    const path = absolutePath(file.at);
    byPath.set(path, [...(byPath.get(path) ?? []), file]);
  }
  return [...byPath.values()].map((steps) => {
    const [first, last] = [steps[0] as PlannedFile, steps.at(-1) as PlannedFile];
    if (first === last) return first;
    const { now, found } = steps.find((step) => step.found !== "already") ?? first;
    const { before } = last;
    const by = [...new Set(steps.toReversed().flatMap((step) => step.by))];
    const isNothing = found === "restorable" && isSameState(now, before);
    return { ...first, now, before, by, found: isNothing ? "already" : found };
  });
}

interface MovedFile extends PlannedFile {
  /** Where it lies now. */
  readonly from?: PlannedFile["at"];
}

/** What goes at one path and comes back at another, by the same blocks, was moved. */
function pairMoves(files: readonly PlannedFile[]): readonly MovedFile[] {
  const going = new Map<string, PlannedFile[]>();
  for (const file of files) {
    if (file.found !== "restorable" || file.before.kind !== "missing" || file.now.kind !== "file") continue;
    const key = keyOf(file, file.now);
    going.set(key, [...(going.get(key) ?? []), file]);
  }
  const paired = new Set<PlannedFile>();
  const all = files.map((file): MovedFile => {
    if (file.found !== "restorable" || file.now.kind !== "missing" || file.before.kind !== "file") return file;
    const [source, ...others] = going.get(keyOf(file, file.before)) ?? [];
    if (source === undefined || others.length > 0 || paired.has(source)) return file;
    paired.add(source);
    return { ...file, from: source.at };
  });
  return all.filter((file) => !paired.has(file));
}

function keyOf({ by }: PlannedFile, { sha256, size, mode }: Extract<EntryState, { kind: "file" }>): string {
  return JSON.stringify([by, sha256, size, mode]);
}

async function describeFile(file: MovedFile, platform: Platform): Promise<UndoneFile> {
  const { at, from, by, now, before, found } = file;
  const { kind } = before.kind === "missing" ? now : before;
  if (from !== undefined) return { path: shownPath(at), undo: "moved back", from: shownPath(from), found, by };
  return {
    path: shownPath(at),
    ...(kind === "directory" || kind === "link" ? { kind } : {}),
    undo: wordFor(now, before),
    found,
    by,
    ...(found === "restorable" ? await describeContents(file, platform) : {}),
  };
}

function wordFor(now: EntryState, before: EntryState): UndoWord {
  if (before.kind === "missing") return "removed";
  return now.kind === "missing" ? "brought back" : "restored";
}

async function describeContents(
  { at, by, now, before }: PlannedFile,
  platform: Platform,
): Promise<Pick<UndoneFile, "diff" | "lines_added" | "lines_removed">> {
  if (now.kind !== "file" && before.kind !== "file") return {};
  const contents = await readContents({ at, before: now, after: before, by }, platform);
  if (typeof contents === "string") return {};
  const { text, linesAdded, linesRemoved } = unifiedDiff({ path: shownPath(at), ...contents });
  return { diff: text, lines_added: linesAdded, lines_removed: linesRemoved };
}

/** The same for a file that is no longer as the run left it. What was not kept may hold a secret, and neither is what lies there shown. */
async function describePresent(
  { at, by, now, before }: PlannedFile,
  platform: Platform,
): ReturnType<typeof describeContents> {
  if (now.kind !== "file" || now.kept !== true) return {};
  const left = await readContents({ at, before: now, after: before, by }, platform);
  const present = await readPresent(at, platform);
  if (typeof left === "string" || present === undefined) return {};
  const texts = { before: present, after: left.after };
  const { text, linesAdded, linesRemoved } = unifiedDiff({ path: shownPath(at), ...texts });
  return { diff: text, lines_added: linesAdded, lines_removed: linesRemoved };
}
