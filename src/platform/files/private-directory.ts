import { chmodSync, lstatSync } from "node:fs";
import { makeDirectories } from "../../util/make-directories.ts";
import { isOurs } from "./ownership.ts";

/** Makes the state directory, or tells why the one that is there can't be used. */
export function makePrivate(directory: string): string | undefined {
  makeDirectories(directory, 0o700);
  const found = lstatSync(directory);
  if (found.isSymbolicLink()) return `The state directory ${directory} is a symbolic link, which is not followed.`;
  if (!isOurs(found)) return `The state directory ${directory} belongs to another user.`;
  chmodSync(directory, 0o700);
  return undefined;
}
