import { lstatSync, readlinkSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { SandboxRequest } from "../../block/ports.ts";
import { pathBelow } from "../../util/path-below.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { realPath } from "../files/file-paths.ts";
import type { HeldEntries } from "../files/held-entries.ts";
import type { Mount } from "./bubblewrap-options.ts";
import { guardWorkspace } from "./guard-workspace.ts";

export interface Surroundings {
  /** The user's own, as far as they are known. */
  readonly homes: readonly string[];
  /** Where Frond keeps its own data. */
  readonly stateDirectory: string;
  /** Directories on PATH, and others that the user wants to be readable. */
  readonly readable: readonly string[];
}

/** Beside homes: where everybody's temporary files are, and the sockets of services that would do what the command may not. */
const sharedDirectories = ["/tmp", "/dev/shm", "/run", "/var/run"];

export interface Survey {
  readonly mounts: readonly Mount[];
  /** When the sandbox has ended. */
  release(): void;
}

/**
 * What a sandbox has other than the file system outside, as that is now; or why there can be none for this workspace. What is
 * meant by a path is held, so that what has been mounted in the end can be compared with it.
 */
export function surveyMounts(
  request: SandboxRequest,
  surroundings: Surroundings,
  held: HeldEntries,
): Result<Survey, string> {
  const { workspace, scratch, freeWorktree } = request;
  const { homes, stateDirectory } = surroundings;
  const hidden = realDirectories([...sharedDirectories, ...homes, stateDirectory]);
  if (workspace === "/" || [...hidden.values()].includes(workspace)) {
    return err(`the sandbox has a '${workspace}' of its own: work in a directory below it`);
  }
  const ownData = hidden.get(stateDirectory);
  if (ownData !== undefined && isInside(ownData, workspace)) {
    return err(`'${workspace}' is in Frond's own state directory, which the sandbox hides`);
  }
  const mounts = new Map<string, Mount>();
  for (const path of hidden.values()) mounts.set(path, { path, kind: "private" });
  for (const path of [workspace, ...(scratch === undefined || isInside(workspace, scratch) ? [] : [scratch])]) {
    const entry = held.find(path);
    // A real path when it was chosen; a command may have put a link there since.
    if (entry?.kind !== "directory") {
      const isThere = realPath(path) !== undefined;
      return err(isThere ? `the way to '${path}' leads through a symbolic link` : `there is no directory '${path}'`);
    }
    mounts.set(path, { path, kind: "writable", entry });
  }
  const guarded = guardWorkspace(held, workspace, freeWorktree);
  if (!guarded.ok) return guarded;
  // What is private in the workspace, such as a state directory, is so with all that is in it.
  for (const mount of guarded.value.mounts) {
    if (mountAround([...mounts.values()], mount.path)?.kind !== "private") mounts.set(mount.path, mount);
  }
  showReadable(mounts, request, surroundings, hidden, held);
  return ok({ mounts: [...mounts.values()], release: guarded.value.release });
}

/** What is hidden by a private directory around it, and is to be readable all the same. */
function showReadable(
  mounts: Map<string, Mount>,
  { workspace, scratch, network }: SandboxRequest,
  { readable, stateDirectory }: Surroundings,
  hidden: ReadonlyMap<string, string>,
  held: HeldEntries,
): void {
  const before = [...mounts.values()];
  const ownData = hidden.get(stateDirectory);
  const writable = [workspace, ...(scratch === undefined ? [] : [scratch])];
  const wanted = [...readable, ...(network === "host" ? nameServers() : [])];
  for (const path of wanted.map((written) => throughReal(written, hidden))) {
    const around = mountAround(before, path);
    const isHidden = around?.kind === "private" && around.path !== path && around.path !== ownData;
    const real = isHidden ? resolveLinks(path, writable) : undefined;
    const entry = real === undefined ? undefined : held.find(real);
    if (entry !== undefined) mounts.set(path, { path, kind: "read-only", entry });
  }
}

const mostLinks = 40;

/** The real path, unless a command could have made a link on the way to it, which then would choose what is shown. */
function resolveLinks(path: string, writable: readonly string[]): string | undefined {
  let real = "/";
  const names = path.split("/").filter(Boolean);
  for (let links = 0; names.length > 0; ) {
    const next = join(real, names.shift() as string);
    const kind = kindOf(next);
    if (kind === undefined) return undefined;
    if (kind !== "link") {
      real = next;
      continue;
    }
    links += 1;
    if (links > mostLinks || writable.some((directory) => isInside(directory, next))) return undefined;
    names.unshift(...resolve(dirname(next), readlinkSync(next)).split("/").filter(Boolean));
    real = "/";
  }
  return real;
}

/** The mount that decides about a path. */
export function mountAround(mounts: readonly Mount[], path: string): Mount | undefined {
  const inner = longest(mounts.map((mount) => mount.path).filter((around) => isInside(around, path)));
  return mounts.find((mount) => mount.path === inner);
}

export function isInside(directory: string, path: string): boolean {
  return pathBelow(directory, path) !== undefined;
}

/** The directories of a list such as PATH; a relative one means a different directory to everybody. */
export function listedDirectories(list: string | undefined, home: string | undefined): string[] {
  return (list ?? "")
    .split(delimiter)
    .map((path) => (home !== undefined && /^~(\/|$)/.test(path) ? join(home, path.slice(1)) : path))
    .filter(isAbsolute)
    .map((path) => resolve(path));
}

/** Where the names of hosts are looked up, if that is written down in a directory that is hidden. */
function nameServers(): string[] {
  const real = realPath("/etc/resolv.conf");
  return real === undefined ? [] : [real];
}

/** By what is written, the real paths of those that are directories. */
function realDirectories(paths: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const path of paths) {
    const real = realPath(path);
    if (real !== undefined && real !== "/" && kindOf(real) === "directory") found.set(resolve(path), real);
  }
  return found;
}

/** A mount is made at a real path, but below that a path stays as it is written, for it must be found there. */
function throughReal(path: string, directories: ReadonlyMap<string, string>): string {
  const written = longest([...directories.keys()].filter((directory) => isInside(directory, path)));
  return written === undefined ? path : `${directories.get(written)}${path.slice(written.length)}`;
}

function longest(paths: readonly string[]): string | undefined {
  return paths.toSorted((one, other) => other.length - one.length)[0];
}

function kindOf(path: string): "link" | "directory" | "other" | undefined {
  try {
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return "link";
    return found.isDirectory() ? "directory" : "other";
  } catch {
    return undefined;
  }
}
