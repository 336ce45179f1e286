import { readFileSync } from "node:fs";

/**
 * What is told and set of a mode: permissions and the sticky bit. The bits that lend the rights of a user or a group are left to
 * whoever means to set them; a file that had them loses them when it is replaced, as by any foreign write.
 */
export const permissionBits = 0o1777;
/** Those bits: set-user-id and set-group-id. */
export const lendingBits = 0o6000;
/** A directory that has it gives its group to what is made in it, and new directories inherit it. */
export const inheritedGroup = 0o2000;

/** All its bits, as `chmod` takes them. */
export function showMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}

export function readUmask(): number {
  // Node can only ask by setting it, and what other threads make meanwhile would be open to everybody.
  const told = /^Umask:\s*([0-7]+)$/m.exec(readStatus());
  return told?.[1] === undefined ? process.umask() : Number.parseInt(told[1], 8);
}

function readStatus(): string {
  try {
    return readFileSync("/proc/self/status", "utf8");
  } catch {
    return "";
  }
}
