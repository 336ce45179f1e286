import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { leftBehind, ownPrefix } from "../files/left-behind.ts";
import { memoryDirectories } from "../files/memory-directory.ts";

export interface OutputPipe {
  readonly readEnd: number;
  readonly writeEnd: number;
  /** To be called once, when the read end is closed; a pipe that was read to its end can serve again. */
  release(wasReadToItsEnd: boolean): void;
}

const batch = 16;
const names = Array.from({ length: batch }, (_, index) => String(index));
const kind = "pipes";
/** Linux's O_PATH, which Node does not name: holds a file without opening it, so that holding a FIFO is no reading or writing. */
const holdOnly = 0o10000000;

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
    const fifo = this.#idle.pop();
    if (fifo === undefined) return undefined;
    const path = `/proc/self/fd/${fifo}`;
    let readEnd: number | undefined;
    try {
      // Opened twice, because not to block is for our end only.
      readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const writeEnd = openSync(path, constants.O_WRONLY);
      return { readEnd, writeEnd, release: (wasReadToItsEnd) => this.#release(fifo, wasReadToItsEnd) };
    } catch (error) {
      if (readEnd !== undefined) closeSync(readEnd);
      closeSync(fifo);
      throw error;
    }
  }

  #release(fifo: number, wasReadToItsEnd: boolean): void {
    if (wasReadToItsEnd && this.#available) this.#idle.push(fifo);
    else closeSync(fifo);
  }

  #refill(): void {
    const [memory] = memoryDirectories();
    if (!this.#hasTidied) removeLeftBehind(memory);
    this.#hasTidied = true;
    let directory: string | undefined;
    try {
      directory = mkdtempSync(join(memory, ownPrefix(kind)));
      spawnSync("mkfifo", ["-m", "600", ...names], { cwd: directory, stdio: "ignore" });
      for (const name of names) this.#idle.push(openSync(join(directory, name), holdOnly));
    } catch {
      this.#available = this.#idle.length > 0;
    } finally {
      if (directory !== undefined) removeNames(directory);
    }
  }

  close(): void {
    this.#available = false;
    for (const fifo of this.#idle.splice(0)) closeSync(fifo);
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
