import type { Catalog } from "../block/catalog.ts";
import type { FileSystem } from "../block/ports.ts";
import { shownPath } from "../block/rooted-path.ts";
import { isAsLeft } from "../changes/compare-changes.ts";
import type { ChangeGroup } from "../changes/compose-changes.ts";
import type { EntryState } from "../changes/recorded-change.ts";
import type { Problem } from "../diagnostic/problem.ts";
import { parseAddress, pathOf } from "../engine/address.ts";
import type { RunEvent } from "../engine/events.ts";
import { findBlock } from "../runs/find-block.ts";
import type { Platform } from "../runs/platform.ts";
import { type RunStatus, readRun } from "../runs/read-run.ts";
import { defined } from "../util/defined.ts";
import { ok, type Result } from "../util/result.ts";
import { unifiedDiff } from "../util/unified-diff.ts";
import { type NoDiff, readContents } from "./change-contents.ts";
import { type NetChange, netChanges, netRefs } from "./net-changes.ts";

/** What a run changed, as data. */
export interface RunChanges {
  readonly run_id: string;
  readonly workflow: string;
  readonly status: RunStatus;
  readonly workspace: string;
  /** The block whose changes these are; of the whole run where it is absent. */
  readonly block?: string;
  /** One for each path, in order. */
  readonly changes: readonly PathChange[];
  /** Refs of git that lead somewhere else. */
  readonly refs?: readonly RefChange[];
  /** So many more paths were changed. */
  readonly more_changes?: number;
  /** What commands changed that could not be kept, or not be looked at. */
  readonly not_captured?: readonly NotCapturedData[];
}

export interface RefChange {
  /** Where the refs lie, as paths are shown. */
  readonly repository: string;
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly by: readonly string[];
}

export interface NotCapturedData {
  readonly path: string;
  readonly why: string;
  readonly by: readonly string[];
}

export type ChangeWord = "created" | "edited" | "deleted" | "moved" | "mode";

/** What became of a path between the first change of it and the last. */
export interface PathChange {
  /** From the workspace, or absolute for what lies elsewhere. */
  readonly path: string;
  readonly change: ChangeWord;
  /** Unless it is a file. */
  readonly kind?: "directory" | "link";
  /** Of what takes the place of something of another kind. */
  readonly was?: EntryKind;
  /** Where it was before. */
  readonly from?: string;
  /** Addresses of the blocks that changed it, in order. */
  readonly by: readonly string[];
  /** Octal, where they differ. */
  readonly mode_before?: string;
  readonly mode_after?: string;
  /** Of links. */
  readonly target_before?: string;
  readonly target_after?: string;
  /** In bytes, of what can't be shown as text. */
  readonly size_before?: number;
  readonly size_after?: number;
  readonly lines_added?: number;
  readonly lines_removed?: number;
  readonly diff?: string;
  /** How many lines at the end of the diff were left out. */
  readonly diff_left_out?: number;
  /** Why there is no diff of a file whose bytes have changed. `too many`: others come before it. */
  readonly no_diff?: NoDiff | "too many";
  /** How it is found now, unless it is as the run left it. */
  readonly now?: "as before" | "changed since";
}

export type EntryKind = "file" | "directory" | "link";

export interface ChangesQuery {
  /** Address of a block: what it and all that is inside it changed. */
  readonly block?: string | undefined;
  /** Without diffs nothing of what files hold is read. */
  readonly diffs: boolean;
  /** How much is told; everything when absent. */
  readonly limits?: ChangeLimits;
}

export interface ChangeLimits {
  readonly paths: number;
  /** Of one diff. */
  readonly lines: number;
  /** Of all diffs together: beyond that nothing of what files hold is read. */
  readonly characters: number;
}

const noLimits: ChangeLimits = {
  paths: Number.POSITIVE_INFINITY,
  lines: Number.POSITIVE_INFINITY,
  characters: Number.POSITIVE_INFINITY,
};

/** What a run changed, as far as it is recorded. Reading it starts nothing. */
export async function readChanges(
  platform: Platform,
  catalog: Catalog,
  runId: string,
  { block, diffs, limits = noLimits }: ChangesQuery,
): Promise<Result<RunChanges, Problem>> {
  const run = await readRun(platform, catalog, runId);
  if (!run.ok) return run;
  const { state, status } = run.value;
  if (block !== undefined) {
    const found = findBlock(state, pathOf(block));
    if (!found.ok) return found;
  }
  const events = await (await platform.journal()).read(runId);
  const wanted = events.filter((event) => block === undefined || isInside(event, block));
  const groups = wanted.flatMap(changesIn);
  const changes: PathChange[] = [];
  const all = [...netChanges(groups)];
  let { characters } = limits;
  for (const change of all.slice(0, limits.paths)) {
    const described = cutDiff(await describeChange(change, platform, diffs && characters > 0), limits.lines);
    characters -= described.diff?.length ?? 0;
    changes.push(diffs && characters <= 0 && described.diff === undefined ? withoutDiff(change, described) : described);
  }
  const { workflow, workspace } = state.started;
  return ok({
    run_id: runId,
    workflow,
    status,
    workspace,
    ...defined({ block }),
    changes,
    ...(all.length > limits.paths ? { more_changes: all.length - limits.paths } : {}),
    ...refsIn(groups),
    ...notCapturedIn(wanted),
  });
}

function changesIn(event: RunEvent): ChangeGroup[] {
  if (event.type !== "file-changed" && event.type !== "changes-observed") return [];
  return [{ by: event.path, changes: event.changes }];
}

function refsIn(groups: readonly ChangeGroup[]): Pick<RunChanges, "refs"> {
  const refs = netRefs(groups).map(({ repository, name, first, last, by }) => {
    return { repository: shownPath(repository), name, before: first, after: last, by };
  });
  return refs.length === 0 ? {} : { refs };
}

/** Each path once, for as long as the reason is the same. */
function notCapturedIn(events: readonly RunEvent[]): Pick<RunChanges, "not_captured"> {
  const found = new Map<string, NotCapturedData>();
  for (const event of events) {
    if (event.type !== "changes-observed") continue;
    for (const { path, why } of event.notCaptured) {
      const key = JSON.stringify([path, why]);
      found.set(key, { path, why, by: [...new Set([...(found.get(key)?.by ?? []), event.path])] });
    }
  }
  return found.size === 0 ? {} : { not_captured: [...found.values()] };
}

/** Whether it happened to the block at an address, or inside it. */
function isInside(event: RunEvent, address: string): boolean {
  if (!("path" in event)) return false;
  const path = pathOf(address);
  if (event.path !== path) return event.path.startsWith(`${path}/`);
  const attempt = parseAddress(address).at(-1)?.attempt;
  return attempt === undefined || !("attempt" in event) || event.attempt === attempt;
}

async function describeChange(change: NetChange, platform: Platform, diffs: boolean): Promise<PathChange> {
  const { at, from, before, after, by } = change;
  const kind = kindOf(after.kind === "missing" ? before : after);
  const was =
    before.kind === "missing" || after.kind === "missing" || kindOf(before) === kind ? undefined : before.kind;
  return {
    path: shownPath(at),
    change: wordFor(change),
    ...(kind === "file" ? {} : { kind }),
    ...(was === undefined ? {} : { was }),
    ...(from === undefined ? {} : { from: shownPath(from) }),
    by,
    ...modesOf(before, after),
    ...(before.kind === "link" ? { target_before: before.target } : {}),
    ...(after.kind === "link" ? { target_after: after.target } : {}),
    ...(diffs ? await describeContents(change, platform) : {}),
    ...defined({ now: await lookNow(change, platform.files) }),
  };
}

function cutDiff(change: PathChange, mostLines: number): PathChange {
  const { diff } = change;
  // A line has a character at least, that of its end.
  if (diff === undefined || diff.length <= mostLines) return change;
  const lines = diff.split("\n");
  const left = lines.length - 1 - mostLines;
  return left <= 0 ? change : { ...change, diff: `${lines.slice(0, mostLines).join("\n")}\n`, diff_left_out: left };
}

/** Only where there would have been one. */
function withoutDiff({ before, after }: NetChange, change: PathChange): PathChange {
  const isOfFile = before.kind === "file" || after.kind === "file";
  const isSame = before.kind === after.kind && hasSameContent(before, after);
  return change.no_diff !== undefined || !isOfFile || isSame ? change : { ...change, no_diff: "too many" };
}

function wordFor({ from, before, after }: NetChange): ChangeWord {
  if (from !== undefined) return "moved";
  if (before.kind === "missing") return "created";
  if (after.kind === "missing") return "deleted";
  return before.kind === after.kind && hasSameContent(before, after) ? "mode" : "edited";
}

function hasSameContent(before: EntryState, after: EntryState): boolean {
  if (before.kind === "link" && after.kind === "link") return before.target === after.target;
  if (before.kind !== "file" || after.kind !== "file") return before.kind === after.kind;
  return before.size === after.size && before.sha256 === after.sha256;
}

function modesOf(before: EntryState, after: EntryState): Pick<PathChange, "mode_before" | "mode_after"> {
  if (!("mode" in before && "mode" in after) || before.mode === undefined || after.mode === undefined) return {};
  return before.mode === after.mode ? {} : { mode_before: octal(before.mode), mode_after: octal(after.mode) };
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}

function kindOf({ kind }: EntryState): EntryKind {
  return kind === "missing" ? "file" : kind;
}

type Contents = Pick<PathChange, "diff" | "no_diff" | "size_before" | "size_after" | "lines_added" | "lines_removed">;

async function describeContents(change: NetChange, platform: Platform): Promise<Contents> {
  const { at, before, after } = change;
  if (before.kind !== "file" && after.kind !== "file") return {};
  if (before.kind === after.kind && hasSameContent(before, after)) return {};
  const contents = await readContents(change, platform);
  if (typeof contents === "string") {
    return {
      no_diff: contents,
      ...(before.kind === "file" ? defined({ size_before: before.size }) : {}),
      ...(after.kind === "file" ? defined({ size_after: after.size }) : {}),
    };
  }
  const { text, linesAdded, linesRemoved } = unifiedDiff({ path: shownPath(at), ...contents });
  return { diff: text, lines_added: linesAdded, lines_removed: linesRemoved };
}

async function lookNow({ at, from, before, after }: NetChange, files: FileSystem): Promise<PathChange["now"]> {
  if (await isAsLeft(at, after, files)) return undefined;
  const isBack = from === undefined ? await isAsLeft(at, before, files) : await isAsLeft(from, before, files);
  return isBack ? "as before" : "changed since";
}
