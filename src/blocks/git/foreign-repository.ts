import type { BlockFiles } from "../../block/block-files.ts";
import { BlockCannotRun, type BlockContext } from "../../block/define-block.ts";
import type { RootedPath } from "../../block/ports.ts";
import { absolutePath, childOf, parentOf } from "../../block/rooted-path.ts";
import { gitRequest, withoutRepository } from "./git-request.ts";
import { asVariables, type GitSetting, listSettings, probe, settingsAgainst } from "./git-settings.ts";

/**
 * What git is to be told in a directory of the workspace so that it runs nothing that a repository there names. Nothing where git
 * would find the workspace's own repository, or none.
 */
export async function settingsFor(context: BlockContext, at: RootedPath): Promise<readonly GitSetting[]> {
  if (await isOfWorkspace(context, at)) return [];
  const git = context.environment.findProgram("git");
  if (git === undefined) return [];
  const env = { ...withoutRepository(context), ...asVariables([probe]) };
  const request = gitRequest(context, at, { file: git, args: listSettings, env, maxOutput: mostOutput });
  const result = await context.processes.run(request);
  if (!result.started) throw new BlockCannotRun(result.message);
  if (result.exitCode !== 0 || result.stdout.truncated) {
    throw new BlockCannotRun(`the settings of the repository '${absolutePath(at)}' can't be read`);
  }
  return settingsAgainst(result.stdout.text);
}

const mostOutput = 5_000_000;

/** Whether git comes upon no other repository on the way from the path up to the workspace. */
async function isOfWorkspace({ files, workspace }: BlockContext, path: RootedPath): Promise<boolean> {
  if (path.root !== workspace) return false;
  for (let at = path; at.path !== ""; at = parentOf(at)) {
    if (await isThere(files, at, ".git")) return false;
    if ((await isThere(files, at, "HEAD")) && (await isThere(files, at, "objects"))) return false;
  }
  return true;
}

async function isThere(files: BlockFiles, directory: RootedPath, name: string): Promise<boolean> {
  return (await files.look(childOf(directory, name))).kind !== "missing";
}
