import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { leftBehind, ownPrefix } from "../files/left-behind.ts";
import { memoryDirectories } from "../files/memory-directory.ts";

export interface OutputPipe {
  /** Does not block, and is not to be closed by its user. */
  readonly readEnd: number;
  openWriteEnd(): number;
  /** To be called once, when it is not used any more; a pipe that was read to its end can serve again. */
  release(wasReadToItsEnd: boolean): void;
}

const batch = 16;
const names = Array.from({ length: batch }, (_, index) => String(index));
const kind = "pipes";
export const readEndFlags: number = constants.O_RDONLY | constants.O_NONBLOCK;

/** Where a descriptor of ours can be opened once more. */
export function reopen(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/**
 * Pipes for the output of processes. Node's own are sockets, and on Linux `echo oops > /dev/stderr` fails on a socket. Node
 * cannot make a pipe but can open a FIFO, so these are FIFOs, made by mkfifo and nameless before the first of them is used.
 * Elsewhere, or when that does not work, there is nothing to take and Node's own must do.
 */
export class OutputPipes {
  readonly #idle: number[] = [];
  #available: boolean = process.platform === "linux";
  #hasTidied = false;

  take(): OutputPipe | undefined {
    if (!this.#available) return undefined;
    if (this.#idle.length === 0) this.#refill();
    const readEnd = this.#idle.pop();
    if (readEnd === undefined) return undefined;
    return {
      readEnd,
      openWriteEnd: () => openSync(reopen(readEnd), constants.O_WRONLY),
      release: (wasReadToItsEnd) => this.#release(readEnd, wasReadToItsEnd),
    };
  }

  #release(readEnd: number, wasReadToItsEnd: boolean): void {
    if (wasReadToItsEnd && this.#available) this.#idle.push(readEnd);
    else closeSync(readEnd);
  }

  #refill(): void {
    const [memory] = memoryDirectories();
    if (!this.#hasTidied) removeLeftBehind(memory);
    this.#hasTidied = true;
    let directory: string | undefined;
    try {
      directory = mkdtempSync(join(memory, ownPrefix(kind)));
      spawnSync("mkfifo", ["-m", "600", ...names], { cwd: directory, stdio: "ignore" });
      for (const name of names) this.#idle.push(openSync(join(directory, name), readEndFlags));
    } catch {
      this.#available = this.#idle.length > 0;
    } finally {
      if (directory !== undefined) removeNames(directory);
    }
  }

  close(): void {
    this.#available = false;
    for (const readEnd of this.#idle.splice(0)) closeSync(readEnd);
  }
}

/** One by one, because to list a directory takes a descriptor, and there may be none left. */
function removeNames(directory: string): void {
  for (const name of names) rmSync(join(directory, name), { force: true });
  rmdirSync(directory);
}

/** A process that is killed while it makes pipes leaves their names behind. The next one that makes some has the time to look. */
function removeLeftBehind(memory: string): void {
  for (const directory of leftBehind(memory, kind)) {
    try {
      removeNames(directory);
    } catch {
      // Whoever looks at the same time was faster; or it is something else, and stays.
    }
  }
}
