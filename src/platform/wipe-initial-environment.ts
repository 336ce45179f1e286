import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";

/**
 * Overwrites variables in the memory that Linux shows as /proc/PID/environ, which every process of the same user can read, and
 * where a variable stays although it has been deleted. Where that is not possible it stays, as the documentation says.
 */
export function wipeInitialEnvironment(names: ReadonlySet<string>): void {
  if (names.size === 0 || process.platform !== "linux") return;
  try {
    const { start, end } = findInitialEnvironment();
    const memory = openSync("/proc/self/mem", "r+");
    try {
      const block = Buffer.alloc(end - start);
      if (readSync(memory, block, 0, block.length, start) !== block.length) return;
      for (const { at, length } of valuesIn(block, names))
        writeSync(memory, Buffer.alloc(length), 0, length, start + at);
    } finally {
      closeSync(memory);
    }
  } catch {
    // A kernel or container that does not let a process do this to itself.
  }
}

/** As `proc(5)` has it: fields 50 and 51, counted from 1; the second may hold blanks, but ends with the last parenthesis. */
function findInitialEnvironment(): { readonly start: number; readonly end: number } {
  const line = readFileSync("/proc/self/stat", "latin1");
  const fromThird = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return { start: Number(fromThird[50 - 3]), end: Number(fromThird[51 - 3]) };
}

function* valuesIn(
  block: Buffer,
  names: ReadonlySet<string>,
): Generator<{ readonly at: number; readonly length: number }> {
  for (let at = 0; at < block.length; ) {
    const found = block.indexOf(0, at);
    const end = found === -1 ? block.length : found;
    const equals = block.indexOf("=", at);
    if (equals !== -1 && equals < end && names.has(block.toString("utf8", at, equals))) {
      yield { at: equals + 1, length: end - equals - 1 };
    }
    at = end + 1;
  }
}
