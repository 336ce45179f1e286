import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { FileJob } from "./file-worker.ts";

/** Of the file of tests that runs now: several of them share this module. */
let program = "";

/** To be called once in a file of tests. */
export function buildFileWorker(): void {
  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), "frond-file-worker-"));
    // A worker may be another user.
    chmodSync(directory, 0o755);
    program = join(directory, "worker.mjs");
    const entry = new URL("file-worker.ts", import.meta.url).pathname;
    await build({ entryPoints: [entry], outfile: program, bundle: true, platform: "node", format: "esm" });
  });
  afterAll(() => rmSync(dirname(program), { recursive: true }));
}

export interface WorkerSurroundings {
  readonly uid?: number;
  /** Words of bash before the worker takes its place, for limits. */
  readonly first?: string;
}

type FileWorker = ChildProcessByStdio<Writable, Readable, null>;

export function startFileWorker(job: FileJob, { uid, first = ":" }: WorkerSurroundings = {}): FileWorker {
  const child = spawn("bash", ["-c", `${first}; exec "$0" "$@"`, process.execPath, program], {
    stdio: ["pipe", "pipe", "inherit"],
    cwd: "/",
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end(JSON.stringify(job));
  return child;
}

export interface WorkerResult {
  readonly answers: readonly unknown[];
  readonly newFileMode: number;
  readonly newDirectoryMode: number;
}

export async function runFileWorker(job: FileJob, surroundings?: WorkerSurroundings): Promise<WorkerResult> {
  const child = startFileWorker(job, surroundings);
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  return JSON.parse(output) as WorkerResult;
}
