import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readPath, writePath } from "./byte-path.ts";

/** Everything that lies below a directory, by its path as `byte-path.ts` writes it. */
export type TreeSnapshot = ReadonlyMap<string, SnapshotEntry>;

export interface SnapshotEntry {
  readonly what: SnapshotContent;
  /** What says that nobody wrote, replaced or touched it, even with the same bytes. */
  readonly identity: { readonly inode: bigint; readonly modified: bigint };
}

export type SnapshotContent =
  | { readonly kind: "file"; readonly mode: number; readonly bytes: Buffer }
  | { readonly kind: "directory"; readonly mode: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "special" };

/** What Frond and git keep in a workspace for themselves. */
const ownNames: ReadonlySet<string> = new Set([".git", ".scratch"]);

/** `below` is the path of a directory in it, so that a part of a tree can be compared with the same part of another snapshot. */
export function takeSnapshot(root: string, below = "", skips: ReadonlySet<string> = ownNames): TreeSnapshot {
  const found = new Map<string, SnapshotEntry>();
  const directory = locate(root, below);
  for (const name of readdirSync(directory, { encoding: "buffer" }).sort(Buffer.compare)) {
    const written = writePath(name);
    if (skips.has(written)) continue;
    const path = below === "" ? written : `${below}/${written}`;
    const entry = readEntry(locate(root, path));
    found.set(path, entry);
    if (entry.what.kind !== "directory") continue;
    for (const [inner, one] of takeSnapshot(root, path, skips)) found.set(inner, one);
  }
  return found;
}

/** The bytes of an absolute path, as only they can name everything. */
export function locate(root: string, path: string): Buffer {
  return path === "" ? Buffer.from(root) : Buffer.concat([Buffer.from(`${root}/`), readPath(path)]);
}

function readEntry(path: Buffer): SnapshotEntry {
  const stats = lstatSync(path, { bigint: true });
  const identity = { inode: stats.ino, modified: stats.mtimeNs };
  const mode = Number(stats.mode & 0o7777n);
  if (stats.isFile()) return { identity, what: { kind: "file", mode, bytes: readFileSync(path) } };
  if (stats.isDirectory()) return { identity, what: { kind: "directory", mode } };
  if (!stats.isSymbolicLink()) return { identity, what: { kind: "special" } };
  return { identity, what: { kind: "link", target: writePath(readlinkSync(path, { encoding: "buffer" })) } };
}

/** The part of a snapshot that lies at and below a path. */
export function partOf(snapshot: TreeSnapshot, path: string): TreeSnapshot {
  return new Map([...snapshot].filter(([one]) => one === path || one.startsWith(`${path}/`)));
}

/** A line for each path that is not the same in both; none when the trees are the same, byte for byte. */
export function compareSnapshots(before: TreeSnapshot, after: TreeSnapshot): readonly string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path) => {
    const [was, is] = [before.get(path)?.what, after.get(path)?.what].map(describeContent);
    return was === is ? [] : [`${path}: was ${was}, is ${is}`];
  });
}

/** The same for paths that nobody had a reason to touch: they also have to be the same inodes with the same times. */
export function findTouched(
  before: TreeSnapshot,
  after: TreeSnapshot,
  mayBeTouched: (path: string) => boolean,
): readonly string[] {
  return [...before].flatMap(([path, { identity, what }]) => {
    const now = after.get(path)?.identity;
    if (now === undefined || mayBeTouched(path)) return [];
    // Entries that come and go touch a directory.
    const isSame = now.inode === identity.inode && (what.kind === "directory" || now.modified === identity.modified);
    return isSame ? [] : [`${path}: was inode ${identity.inode}, is ${now.inode}, or has another time`];
  });
}

const mostShown = 60;

function describeContent(what: SnapshotContent | undefined): string {
  switch (what?.kind) {
    case undefined:
      return "missing";
    case "file":
      return `a file ${octal(what.mode)} of ${what.bytes.length} bytes ${describeBytes(what.bytes)}`;
    case "directory":
      return `a directory ${octal(what.mode)}`;
    case "link":
      return `a link to ${JSON.stringify(what.target)}`;
    case "special":
      return "something special";
  }
}

/** Short ones as a whole, long ones by where they begin and a sum: two descriptions are the same only for the same bytes. */
function describeBytes(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  if (bytes.length <= mostShown) return JSON.stringify(text);
  return `${JSON.stringify(text.slice(0, mostShown))}... ${createHash("sha256").update(bytes).digest("hex")}`;
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
