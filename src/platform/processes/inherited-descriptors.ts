import { readdirSync, readFileSync } from "node:fs";

const closeOnExec = 0o2000000;

/**
 * Descriptors from this number on that whoever started us left open, and that every process we start would find open too. Node
 * closes what it opens itself, and only the first few of what it is given. Empty where the system does not tell.
 */
export function inheritedDescriptors(first: number): number[] {
  return openDescriptors().filter((descriptor) => descriptor >= first && isPassedOn(descriptor));
}

function openDescriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function isPassedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // The one that the directory was read with is closed by now.
    return false;
  }
}
