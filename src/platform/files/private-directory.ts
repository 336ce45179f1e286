import { chmodSync, lstatSync } from "node:fs";
import { makeDirectories } from "../../util/make-directories.ts";
import { explainUnmakable } from "../../util/unmakable-directory.ts";
import { isOurs } from "./ownership.ts";

/** Makes the state directory, or tells why it can't be made, or why the one that is there can't be used. */
export function makePrivate(directory: string): string | undefined {
  const refused = (problem: string): string => `The state directory ${directory} ${problem}`;
  try {
    makeDirectories(directory, 0o700);
  } catch (error) {
    const unmakable = explainUnmakable(directory);
    return refused(unmakable?.problem ?? `can't be made: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const found = lstatSync(directory);
  if (found.isSymbolicLink()) return refused("is a symbolic link, which is not followed.");
  if (!isOurs(found)) return refused("belongs to another user.");
  if (!found.isDirectory()) return refused("is not a directory.");
  chmodSync(directory, 0o700);
  return undefined;
}
