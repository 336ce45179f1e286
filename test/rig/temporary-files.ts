import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, statfsSync } from "node:fs";

const memory = "/dev/shm/";
/** More than all tests have at one time. */
const enoughBytes = 2e9;

let remover: ChildProcess | undefined;

/**
 * Temporary files are kept in memory where the system has room for them there: tests make and remove so many that a tenth of their time
 * goes into that. Vitest calls this before it starts its workers. Whoever has set TMPDIR has decided.
 */
export function setup(): void {
  if (process.env.TMPDIR || !hasRoom()) return;
  const directory = mkdtempSync(`${memory}frond-tests-`);
  // As of every directory for temporary files: some tests are other users.
  chmodSync(directory, 0o1777);
  process.env.TMPDIR = directory;
  // Its input ends with this process, however that ends. Where nobody has said that all is over, what is left of tests may write for a while.
  const remove = 'read -r over || for second in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$0"; sleep 1; done; rm -rf "$0"';
  remover = spawn("sh", ["-c", remove, directory], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  remover.unref();
}

export async function teardown(): Promise<void> {
  if (remover === undefined) return;
  const ended = once(remover, "close");
  remover.ref();
  remover.stdin?.end("over\n");
  await ended;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enoughBytes;
  } catch {
    return false;
  }
}
