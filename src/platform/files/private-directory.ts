import { chmodSync, lstatSync } from "node:fs";
import { makeDirectories } from "../../util/make-directories.ts";
import { explainUnfit, explainUnmakable } from "../../util/unmakable-directory.ts";

/** Makes the state directory, or tells why it can't be made, or why the one that is there can't be used. */
export function makePrivate(directory: string): string | undefined {
  const refused = (problem: string): string => `The state directory ${directory} ${problem}`;
  try {
    makeDirectories(directory, 0o700);
  } catch (error) {
    const unmakable = explainUnmakable(directory);
    return refused(unmakable?.problem ?? `can't be made: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const unfit = explainUnfit(directory, lstatSync(directory));
  if (unfit !== undefined) return refused(unfit);
  chmodSync(directory, 0o700);
  return undefined;
}
