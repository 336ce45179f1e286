import { accessSync, constants, existsSync, readdirSync, type Stats, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Why a directory can't be made. */
export interface Unmakable {
  /** What follows its name in a sentence. */
  readonly problem: string;
  readonly isReadOnly: boolean;
}

/** Why what is there, looked at without following it, can't be the state directory: what follows its name in a sentence. */
export function explainUnfit(directory: string, found: Stats): string | undefined {
  if (found.isSymbolicLink()) return "is a symbolic link, which is not followed.";
  // Everything is ours where files have no owner.
  const isOurs = process.geteuid === undefined || found.uid === process.geteuid();
  if (!isOurs) return "belongs to another user.";
  if (!found.isDirectory()) return "is not a directory.";
  const isOpen = process.geteuid !== undefined && (found.mode & 0o077) !== 0;
  // It is closed to others, which must not happen to /tmp, say, because somebody named that.
  if (isOpen && !isEmptyOrOurs(directory)) return "holds files of something else, and other users can look into it.";
  return undefined;
}

const ownNames: ReadonlySet<string> = new Set(["frond.db", "blobs", "logs", "trusted", "trusted.json"]);

function isEmptyOrOurs(directory: string): boolean {
  const names = readdirSync(directory);
  return names.length === 0 || names.some((name) => ownNames.has(name));
}

/** Looks at where a directory would be made, because the reason that the system gives for several at once can be a wrong one. */
export function explainUnmakable(directory: string): Unmakable | undefined {
  const parent = nearestParent(directory);
  const because = (reason: string, isReadOnly = false): Unmakable => {
    return { problem: `can't be made: ${parent} ${reason}.`, isReadOnly };
  };
  if (!statSync(parent).isDirectory()) return because("is not a directory");
  if (isOfTheSystem(parent)) return because("shows the system, and takes no directories");
  return isWritable(parent) ? undefined : because("can't be written to", true);
}

/** Where a directory that is not there yet would be made. */
export function nearestParent(directory: string): string {
  let parent = dirname(directory);
  while (!existsSync(parent)) parent = dirname(parent);
  return parent;
}

export function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Types of file systems that are not for files: proc and sysfs. Root is said to be allowed to write there. */
const systemTypes: readonly number[] = [0x9fa0, 0x62656572];

function isOfTheSystem(directory: string): boolean {
  try {
    return process.platform === "linux" && systemTypes.includes(statfsSync(directory).type);
  } catch {
    return false;
  }
}
