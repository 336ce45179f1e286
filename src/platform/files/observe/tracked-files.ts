import { nameOf, systemPath } from "../file-paths.ts";
import { askGit, type GitProgram } from "./git-program.ts";
import type { ObservedRepository } from "./repository-facts.ts";
import type { Stamps } from "./stamp-rows.ts";

/** What the index of a repository says of a file. */
export interface TrackedFile {
  /** Of the object that has its bytes, as git keeps them; empty for a link or a submodule. */
  readonly id: string;
  /** What the file was like when git looked at it last; nothing where that can't be relied on. */
  readonly stamps: string;
}

/** Tracked files by path below the workspace. */
export async function listTracked(
  program: GitProgram,
  workspace: string,
  { directory }: Pick<ObservedRepository, "directory">,
): Promise<ReadonlyMap<string, TrackedFile> | undefined> {
  const cwd = directory === "" ? workspace : `${workspace}/${directory}`;
  const answer = await askGit(program, { cwd }, ["ls-files", "--stage", "--debug", "-z"]);
  if (answer === undefined) return undefined;
  const prefix = directory === "" ? "" : `${directory}/`;
  const tracked = new Map<string, TrackedFile>();
  for (let from = 0; from < answer.length; ) {
    const to = answer.indexOf(0, from);
    const tab = answer.indexOf(tabulator, from);
    const [mode = "", id = "", stage] = answer.toString("latin1", from, tab).split(" ");
    const path = prefix + nameOf(answer.subarray(tab + 1, to));
    from = to + 1;
    // Lines about it follow, each with blanks before it.
    while (answer[from] === blank) from = answer.indexOf(newline, from) + 1 || answer.length;
    const isFile = stage === "0" && mode.startsWith("100");
    const stamps = isFile ? readStamps(answer.toString("latin1", to + 1, from)) : "";
    tracked.set(path, { id: isFile ? id : "", stamps });
  }
  return tracked;
}

const tabulator = 0x09;
const newline = 0x0a;
const blank = 0x20;

const lines =
  /^ *ctime: (\d+):(\d+)\n *mtime: (\d+):(\d+)\n *dev: \d+\tino: (\d+)\n *uid: \d+\tgid: \d+\n *size: (\d+)\tflags: 0\n$/;

/** Flags tell that git has been asked to believe something, or has not stored the file. */
function readStamps(text: string): string {
  const [, ctime, ctimeNs, mtime, mtimeNs, inode, size] = lines.exec(text) ?? [];
  if (size === undefined) return "";
  return [milliseconds(mtime, mtimeNs), milliseconds(ctime, ctimeNs), inode, size].join(" ");
}

/** As Node tells times. */
function milliseconds(seconds: string | undefined, nanoseconds: string | undefined): number {
  return Number(seconds) * 1000 + Number(nanoseconds) / 1e6;
}

/** Of what git writes down of inodes and sizes. */
const kept = 2 ** 32;

/**
 * Whether git takes a file for the one it has looked at. Of one that was changed while the index was written it looks at the bytes, and
 * so must we.
 */
export function isAsIndexed(stats: Stamps, { stamps }: TrackedFile, indexMs: number): boolean {
  const { mtimeMs, ctimeMs, ino, size } = stats;
  return mtimeMs < indexMs && [mtimeMs, ctimeMs, ino % kept, size % kept].join(" ") === stamps;
}

/** Attributes by which git keeps other bytes than those on the disk. */
const converting: ReadonlySet<string> = new Set(["filter", "text", "eol", "crlf", "ident", "working-tree-encoding"]);

/** Those of tracked files that git keeps as they are: no filter, no other ends of lines, no other encoding. */
export async function listUnconverted(
  program: GitProgram,
  workspace: string,
  { directory }: Pick<ObservedRepository, "directory">,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const cwd = directory === "" ? workspace : `${workspace}/${directory}`;
  const ends = await askGit(program, { cwd }, ["config", "--get", "core.autocrlf"]);
  if (paths.length === 0 || (ends !== undefined && ends.toString().trim() !== "false")) return new Set();
  const prefix = directory === "" ? "" : `${directory}/`;
  const below = paths.map((path) => path.slice(prefix.length));
  const asked = Buffer.concat(below.flatMap((path) => [Buffer.from(systemPath(path)), nul]));
  const answer = await askGit(program, { cwd }, ["check-attr", "-z", "--stdin", "--all"], asked);
  if (answer === undefined) return new Set();
  const unconverted = new Set(paths);
  // Path, attribute and value, each with a NUL behind it.
  for (let from = 0; from < answer.length; ) {
    const [path, attribute, value] = Array.from({ length: 3 }, () => {
      const to = answer.indexOf(0, from);
      const word = answer.subarray(from, to);
      from = to + 1;
      return word;
    }) as [Buffer, Buffer, Buffer];
    if (!converting.has(attribute.toString()) || value.toString() === "unset") continue;
    unconverted.delete(prefix + nameOf(path));
  }
  return unconverted;
}

const nul = Buffer.of(0);
