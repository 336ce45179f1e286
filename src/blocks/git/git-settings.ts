import type { BlockFiles } from "../../block/block-files.ts";
import type { FilePlace } from "../../block/ports.ts";
import { OperationFailed } from "../files/file-operation.ts";
import { childOf } from "../files/places.ts";

/**
 * A repository can name programs that git runs: hooks, a monitor, filters, helpers. Those of the workspace's own repository are the
 * user's. Any other repository in it may have come with what was downloaded there or written by a command, so that of its settings
 * none is obeyed that runs something.
 */

/** For every repository: one that is only a directory with the right names in it, which anybody can commit, is none. */
export const usualSettings: readonly string[] = ["-c", "safe.bareRepository=explicit"];

/** Of the commands that are run for worktrees, with what else they could lead to. */
const noPrograms = [
  "core.fsmonitor=",
  "core.hooksPath=/dev/null",
  "submodule.recurse=false",
  "credential.helper=",
  "gc.auto=0",
  "maintenance.auto=false",
];

/** What git may fetch with, missing objects of a partial clone for example: nothing has this name. */
export const noTransport: Readonly<Record<string, string>> = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" };

/** Whether git comes upon no other repository on the way from the place up to the workspace. */
export async function isOfWorkspace(files: BlockFiles, place: FilePlace, workspace: string): Promise<boolean> {
  if (place.root !== workspace) return false;
  const isThere = async (name: string, at: FilePlace): Promise<boolean> =>
    (await files.look(childOf(at, name))).kind !== "missing";
  for (let at = place; at.path !== ""; at = { ...at, path: at.path.slice(0, Math.max(0, at.path.lastIndexOf("/"))) }) {
    if (await isThere(".git", at)) return false;
    if ((await isThere("HEAD", at)) && (await isThere("objects", at))) return false;
  }
  return true;
}

/** Options of git that turn off what a repository of somebody else would run, given the names of all settings. */
export function foreignSettings(names: readonly string[]): string[] {
  const filters = new Set(names.flatMap((name) => /^filter\.(.+)\.[^.]+$/s.exec(name)?.[1] ?? []));
  const strange = [...filters].find((filter) => !/^[\w.-]+$/.test(filter));
  if (strange !== undefined) {
    throw new OperationFailed(`the repository has a filter called '${strange}', which can't be turned off`);
  }
  const off = [...filters].flatMap((filter) =>
    ["clean=", "smudge=", "process=", "required=false"].map((setting) => `filter.${filter}.${setting}`),
  );
  return [...noPrograms, ...off].flatMap((setting) => ["-c", setting]);
}
