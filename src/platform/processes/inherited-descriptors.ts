import { openSync, readdirSync, readFileSync } from "node:fs";

const closeOnExec = 0o2000000;

/**
 * Descriptors from this number on that whoever started us left open, and that every process we start would find open too. Node
 * closes what it opens itself, and only the first few of what it is given. Empty where the system does not tell.
 */
function inheritedDescriptors(first: number): number[] {
  return openDescriptors().filter((descriptor) => descriptor >= first && isPassedOn(descriptor));
}

export interface Covers {
  /** For `stdio` of a process, from the first number on. */
  readonly entries: readonly ("ignore" | number)[];
  /** What they lead to, to be closed when the process has been started; absent where there is nothing to cover. */
  readonly nothing?: number;
}

/** Keeps inherited descriptors from a process that we start: in place of each it finds one that leads to nothing. */
export function coverInherited(first: number): Covers {
  const inherited = new Set(inheritedDescriptors(first));
  if (inherited.size === 0) return { entries: [] };
  const nothing = openSync("/dev/null", "r");
  const length = Math.max(...inherited) + 1 - first;
  const entries = Array.from({ length }, (_, index) => (inherited.has(first + index) ? nothing : "ignore"));
  return { entries, nothing };
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
