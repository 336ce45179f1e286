import type { BlockFiles } from "../../block/block-files.ts";
import { BlockCannotRun, type BlockContext } from "../../block/define-block.ts";
import type { FilePlace } from "../../block/ports.ts";
import { absolutePath, childOf } from "../files/places.ts";
import { gitRequest, withoutRepository } from "./git-request.ts";
import { asVariables, type GitSetting, listSettings, probe, settingsAgainst } from "./git-settings.ts";

/**
 * What git is to be told in a directory of the workspace so that it runs nothing that a repository there names. Nothing where git
 * would find the workspace's own repository, or none.
 */
export async function settingsFor(context: BlockContext, place: FilePlace): Promise<readonly GitSetting[]> {
  if (await isOfWorkspace(context, place)) return [];
  const git = context.environment.findProgram("git");
  if (git === undefined) return [];
  const env = { ...withoutRepository(context), ...asVariables([probe]) };
  const request = gitRequest(context, place, { file: git, args: listSettings, env, maxOutput: mostOutput });
  const result = await context.processes.run(request);
  if (!result.started) throw new BlockCannotRun(result.message);
  if (result.exitCode !== 0 || result.stdout.truncated) {
    throw new BlockCannotRun(`the settings of the repository '${absolutePath(place)}' can't be read`);
  }
  return settingsAgainst(result.stdout.text);
}

const mostOutput = 5_000_000;

/** Whether git comes upon no other repository on the way from the place up to the workspace. */
async function isOfWorkspace({ files, workspace }: BlockContext, place: FilePlace): Promise<boolean> {
  if (place.root !== workspace) return false;
  for (let at = place; at.path !== ""; at = { ...at, path: at.path.slice(0, Math.max(0, at.path.lastIndexOf("/"))) }) {
    if (await isThere(files, at, ".git")) return false;
    if ((await isThere(files, at, "HEAD")) && (await isThere(files, at, "objects"))) return false;
  }
  return true;
}

async function isThere(files: BlockFiles, directory: FilePlace, name: string): Promise<boolean> {
  return (await files.look(childOf(directory, name))).kind !== "missing";
}
