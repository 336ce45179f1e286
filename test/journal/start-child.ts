import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { waitFor } from "../rig/wait-for.ts";
import type { Job, Outcome } from "./journal-child.ts";

export interface Ended {
  readonly outcomes: readonly Outcome[];
  readonly signal: string | null;
  readonly code: number | null;
  readonly stderr: string;
}

/** A process that works on a journal. */
export interface JournalChild {
  /** Resolves when it has told of so many steps; opening is the first. */
  until(steps: number): Promise<void>;
  /** Ends its waiting. */
  wake(): void;
  readonly ended: Promise<Ended>;
}

// Below node_modules, so that it finds the packages it needs.
const program = join(process.cwd(), "node_modules", ".cache", `frond-journal-child-${process.pid}.mjs`);

/** To be called once in a file of tests. */
export function buildJournalChild(): void {
  beforeAll(async () => {
    const entry = new URL("journal-child.ts", import.meta.url).pathname;
    const outfile = program;
    await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", external: ["libsql"] });
  });
  afterAll(() => rmSync(program, { force: true }));
}

export function startChild(job: Job, node: string = process.execPath): JournalChild {
  const child = spawn(node, [program, JSON.stringify(job)], { stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const outcomes = (): Outcome[] =>
    stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Outcome);
  return {
    until: (steps) => waitFor(`${steps} steps`, () => outcomes().length >= steps || hasEnded(child)),
    wake: () => void child.stdin.write("\n"),
    ended: once(child, "close").then(([code, signal]) => ({ outcomes: outcomes(), code, signal, stderr })),
  };
}

/** What came of each step; fails when the process did not end by itself, or said something beside. */
export async function runChild(job: Job, node?: string): Promise<readonly Outcome[]> {
  const { outcomes, code, signal, stderr } = await startChild(job, node).ended;
  if (code !== 0 || stderr !== "") throw new Error(`The process ended with ${code ?? signal}: ${stderr}`);
  return outcomes;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
