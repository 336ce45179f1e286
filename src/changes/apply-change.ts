import type { FileChange } from "../block/block-files.ts";
import type { FileProblem, FileSystem, RootedPath } from "../block/ports.ts";
import { bytesOf } from "./capture-changes.ts";
import type { RecordedChange } from "./recorded-change.ts";

/** Makes a change that is on record, whole or not at all. */
export async function applyChange(
  change: FileChange,
  recorded: RecordedChange,
  fileSystem: FileSystem,
): Promise<FileProblem | undefined> {
  switch (recorded.kind) {
    case "write": {
      if (change.kind !== "write") throw new Error("What is on record is something else.");
      return fileSystem.replace(recorded.at, await bytesOf(change), recorded.after.mode, recorded.temporary);
    }
    case "remove":
      return fileSystem.remove(recorded.at);
    case "make-directory":
      return makeDirectory(recorded.at, recorded.mode, fileSystem);
    case "make-link":
      return fileSystem.makeLink(recorded.at, recorded.target);
    case "rename":
      return fileSystem.rename(recorded.from, recorded.to);
    case "set-mode":
      return fileSystem.setMode(recorded.at, recorded.after);
    case "ref":
      // By git, when the block comes to it.
      return undefined;
    case "observed":
      throw new Error("What a command has changed is on record, and not made again.");
  }
}

/** One that somebody else has made since is as good. */
async function makeDirectory(at: RootedPath, mode: number, fileSystem: FileSystem): Promise<FileProblem | undefined> {
  const problem = await fileSystem.makeDirectory(at, mode);
  if (problem?.kind !== "exists") return problem;
  const found = await fileSystem.look(at);
  return found.kind === "directory" ? undefined : problem;
}

/** Removes what is left beside a file when its writer was killed. */
export async function removeLeftover(change: RecordedChange, fileSystem: FileSystem): Promise<void> {
  if (change.kind !== "write") return;
  const { root, path } = change.at;
  const directory = path.slice(0, path.lastIndexOf("/") + 1);
  await fileSystem.remove({ root, path: directory + change.temporary });
}
