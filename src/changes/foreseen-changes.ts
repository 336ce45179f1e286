import { dirname } from "node:path";
import type { FileState, RootedPath } from "../block/ports.ts";
import { absolutePath } from "../block/rooted-path.ts";
import { textOf } from "../util/text-of.ts";
import { unifiedDiff } from "../util/unified-diff.ts";
import type { OverlayFiles } from "./overlay-files.ts";
import type { OverlayEntry } from "./overlay-layer.ts";

/** What would be different at one path. */
export interface ForeseenChange {
  readonly at: RootedPath;
  readonly change: "created" | "changed" | "deleted" | "moved";
  readonly what: "file" | "directory" | "link";
  /** Of what takes the place of something of another kind. */
  readonly was?: ForeseenChange["what"];
  /** Of what is moved. */
  readonly from?: RootedPath;
  /** Permissions, where they would be others, and of what is created. */
  readonly mode?: number;
  /** As `diff -u` writes it; absent where nothing of the content changes, or where it is not text. */
  readonly diff?: string;
  /** Of files that are not shown as text: how many bytes they have. */
  readonly sizeBefore?: number;
  readonly sizeAfter?: number;
}

const missing: FileState = { kind: "missing" };

/** Larger files are told by their size. */
const mostShown = 1_000_000;

/** How an overlay differs from the files below it. Texts are shown as `show` gives them. */
export async function foreseeChanges(
  files: OverlayFiles,
  show: (text: string) => string,
): Promise<readonly ForeseenChange[]> {
  const entries = files.layer.all();
  const moved = new Set(
    entries.flatMap(({ at, entry }) => (isMoved(at, entry, files) ? [absolutePath(entry.source)] : [])),
  );
  const changes: ForeseenChange[] = [];
  for (const { at, entry } of entries) {
    if (entry.unknown !== undefined) continue;
    if (entry.state.kind === "missing" && moved.has(absolutePath(at))) continue;
    const before = pathBefore(at, moved, files);
    const change = await compare(at, before, entry, files);
    if (change?.diff === undefined) changes.push(...(change === undefined ? [] : [change]));
    else changes.push({ ...change, diff: show(change.diff) });
  }
  return changes;
}

/**
 * Where that lies on the disk which was there before, if anything was: it may have been moved there with what is around it, and is no
 * longer there if it has been moved away.
 */
function pathBefore(at: RootedPath, moved: ReadonlySet<string>, files: OverlayFiles): RootedPath | undefined {
  if (moved.has(absolutePath(at))) return undefined;
  const place = files.layer.findWithout(at);
  if (place.kind === "below") return place.at;
  for (let path = absolutePath(at); path !== "/"; path = dirname(path)) if (moved.has(path)) return undefined;
  return at;
}

async function compare(
  at: RootedPath,
  old: RootedPath | undefined,
  entry: OverlayEntry,
  files: OverlayFiles,
): Promise<ForeseenChange | undefined> {
  const { state } = entry;
  const looked = old === undefined ? missing : await files.below.look(old);
  const before: FileState = "message" in looked ? missing : looked;
  if (state.kind === "missing" && before.kind === "missing") return undefined;
  const what = kindOf(state.kind === "missing" ? before : state);
  if (isMoved(at, entry, files))
    return { at, change: "moved", what, from: entry.source, ...(await modeMoved(entry, files)) };
  const change = before.kind === "missing" ? "created" : state.kind === "missing" ? "deleted" : "changed";
  const content =
    what === "file" && entry.source === undefined ? await compareContent(at, old ?? at, before, entry, files) : {};
  const mode = "mode" in state && !("mode" in before && before.mode === state.mode) ? { mode: state.mode } : {};
  const was = change === "changed" && kindOf(before) !== what ? { was: kindOf(before) } : {};
  const isSame = change === "changed" && Object.keys({ ...was, ...content, ...mode }).length === 0;
  return isSame ? undefined : { at, change, what, ...was, ...mode, ...content };
}

type MovedEntry = OverlayEntry & { readonly source: RootedPath };

/** What was only given another mode still lies where it would without that. */
function isMoved(at: RootedPath, entry: OverlayEntry, files: OverlayFiles): entry is MovedEntry {
  if (entry.source === undefined) return false;
  const around = files.layer.findWithout(at);
  return around.kind !== "below" || absolutePath(around.at) !== absolutePath(entry.source);
}

async function modeMoved({ state, source }: MovedEntry, files: OverlayFiles): Promise<Pick<ForeseenChange, "mode">> {
  const before = await files.below.look(source);
  const hasMode = "mode" in state && "mode" in before && before.mode !== state.mode;
  return hasMode ? { mode: state.mode } : {};
}

async function compareContent(
  at: RootedPath,
  old: RootedPath,
  before: FileState,
  { state, bytes }: OverlayEntry,
  files: OverlayFiles,
): Promise<Pick<ForeseenChange, "diff" | "sizeBefore" | "sizeAfter">> {
  const sizes = {
    ...(before.kind === "file" ? { sizeBefore: before.size } : {}),
    ...(state.kind === "file" ? { sizeAfter: state.size } : {}),
  };
  const read = before.kind === "file" ? await files.below.read(old, mostShown) : undefined;
  if (read !== undefined && "message" in read) return sizes;
  const [bytesBefore, bytesAfter] = [read?.bytes, state.kind === "file" ? bytes : undefined];
  if (bytesBefore !== undefined && bytesAfter !== undefined && Buffer.compare(bytesBefore, bytesAfter) === 0) return {};
  const texts = [bytesBefore, bytesAfter].map((part) => (part === undefined ? undefined : shownText(part)));
  if (texts.includes(null)) return sizes;
  const [textBefore, textAfter] = texts as (string | undefined)[];
  return { diff: unifiedDiff({ path: at.path, before: textBefore, after: textAfter }).text };
}

/** Null for bytes that are no text, or too many. */
function shownText(bytes: Uint8Array): string | null {
  return bytes.length > mostShown ? null : textOf(bytes);
}

function kindOf({ kind }: FileState): ForeseenChange["what"] {
  return kind === "directory" || kind === "link" ? kind : "file";
}
