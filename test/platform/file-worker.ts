/** Performs steps on files in a process of its own, and prints what came of them. */
import { openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { type FileStep, perform } from "./file-steps.ts";

export interface FileJob {
  readonly root: string;
  readonly steps: readonly FileStep[];
  readonly umask?: number;
  /** Begin with no descriptor left. */
  readonly exhausted?: boolean;
  /** Over and over, until somebody ends it; says so when it has been through once. */
  readonly forever?: boolean;
}

const job = JSON.parse(await text(process.stdin)) as FileJob;
if (job.umask !== undefined) process.umask(job.umask);
const files = createFileSystem();

async function performAll(): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const step of job.steps) answers.push(await perform(files, job.root, step));
  return answers;
}

function takeAllDescriptors(): void {
  try {
    for (;;) openSync("/dev/null", "r");
  } catch {
    // That was the last one.
  }
}

if (job.exhausted) takeAllDescriptors();
const answers = await performAll();
const { newFileMode, newDirectoryMode } = files;
process.stdout.write(JSON.stringify({ answers, newFileMode, newDirectoryMode }));
while (job.forever) await performAll();
