import { lstatSync, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { SandboxRequest } from "../block/ports.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Mount, MountKind } from "./bubblewrap-options.ts";
import { isSamePath } from "./file-paths.ts";

export interface Surroundings {
  /** The user's own, as far as they are known. */
  readonly homes: readonly string[];
  /** Where Frond keeps its own data. */
  readonly stateDirectory: string;
  /** Directories on PATH, and others that the user wants to be readable. */
  readonly readable: readonly string[];
}

/** Beside homes: where everybody's temporary files are, and the sockets of services that would do what the command may not. */
const sharedDirectories = ["/tmp", "/run", "/var/run"];

/** What a sandbox has other than the file system outside, as that is now; or why there can be none for this workspace. */
export function surveyMounts(request: SandboxRequest, surroundings: Surroundings): Result<readonly Mount[], string> {
  const { workspace, scratch, network } = request;
  const { homes, stateDirectory, readable } = surroundings;
  // Real paths when they were chosen; a command may have put a link there since.
  const linked = [workspace, ...(scratch === undefined ? [] : [scratch])].find(isLinked);
  if (linked !== undefined) return err(`the way to '${linked}' leads through a symbolic link`);
  const hidden = realDirectories([...sharedDirectories, ...homes, stateDirectory]);
  if (workspace === "/" || [...hidden.values()].includes(workspace)) {
    return err(`the sandbox has a '${workspace}' of its own: work in a directory below it`);
  }
  const ownData = hidden.get(stateDirectory);
  if (ownData !== undefined && isInside(ownData, workspace)) {
    return err(`'${workspace}' lies in Frond's own state directory, which the sandbox hides`);
  }
  const guarded = guardedPlaces(workspace);
  if (!guarded.ok) return guarded;
  const kinds = new Map<string, MountKind>();
  for (const directory of hidden.values()) kinds.set(directory, "private");
  kinds.set(workspace, "writable");
  if (scratch !== undefined && !isInside(workspace, scratch)) kinds.set(scratch, "writable");
  for (const { path, kind } of guarded.value) kinds.set(path, kind);
  const mounts = toMounts(kinds);
  const wanted = [...readable, ...(network === "host" ? nameServers() : [])];
  for (const path of wanted.map((written) => throughReal(written, hidden))) {
    const around = mountAround(mounts, path);
    const isHidden = around?.kind === "private" && around.path !== path && around.path !== ownData;
    if (isHidden && realPath(path) !== undefined) kinds.set(path, "read-only");
  }
  return ok(toMounts(kinds));
}

/** The mount that decides about a path. */
export function mountAround(mounts: readonly Mount[], path: string): Mount | undefined {
  const inner = longest(mounts.map((mount) => mount.path).filter((around) => isInside(around, path)));
  return mounts.find((mount) => mount.path === inner);
}

export function isInside(directory: string, path: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

/** The directories of a list such as PATH; a relative one means a different directory to everybody. */
export function listedDirectories(list: string | undefined, home: string | undefined): string[] {
  return (list ?? "")
    .split(delimiter)
    .map((path) => (home !== undefined && /^~(\/|$)/.test(path) ? join(home, path.slice(1)) : path))
    .filter(isAbsolute)
    .map((path) => resolve(path));
}

/**
 * Of what somebody is going to run outside of the sandbox, git's hooks and settings and the workflows of the project, nothing can
 * be changed. `.git` is a mount of its own because a mount can't be moved away with what is in it.
 */
function guardedPlaces(workspace: string): Result<readonly Mount[], string> {
  const git = join(workspace, ".git");
  const [hooks, config, workflows] = [join(git, "hooks"), join(git, "config"), join(workspace, ".frond")];
  const link = [git, hooks, config, workflows].find((path) => kindOf(path) === "link");
  if (link !== undefined) return err(`'${link}' is a symbolic link, which the sandbox can't keep from being replaced`);
  const mounts: Mount[] = [];
  const protect = (path: string): void => {
    if (kindOf(path) !== undefined) mounts.push({ path, kind: "read-only" });
  };
  protect(workflows);
  if (kindOf(git) !== "directory") protect(git);
  else {
    mounts.push({ path: git, kind: "writable" });
    protect(config);
    if (kindOf(hooks) === undefined) mounts.push({ path: hooks, kind: "sealed" });
    else protect(hooks);
  }
  return ok(mounts);
}

function isLinked(path: string): boolean {
  const real = realPath(path);
  return real !== undefined && !isSamePath(real, path);
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

function toMounts(kinds: ReadonlyMap<string, MountKind>): Mount[] {
  return [...kinds].map(([path, kind]) => ({ path, kind }));
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

/** Nothing when nothing is there. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
