import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { BlockContext, BlockResult, FileOutput, LeafBehaviour } from "../../src/block/define-block.ts";
import { shell } from "../../src/blocks/shell.ts";
import { JournaledFiles } from "../../src/engine/journaled-files.ts";
import type { ValueMap } from "../../src/expression/value.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createEnvironment } from "../../src/platform/environment.ts";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { createMemoryBlobs } from "../../src/platform/files/memory-blobs.ts";
import { createScratch } from "../../src/platform/files/scratch.ts";
import { createHttp } from "../../src/platform/http/http.ts";
import { createPrices } from "../../src/platform/prices.ts";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { KeyedLocks } from "../../src/util/keyed-locks.ts";
import { keepIn } from "../rig/make-changes.ts";

let workspace: string;

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "frond-adopt-")));
});

afterEach(() => {
  rmSync(workspace, { recursive: true });
});

interface Adoption {
  readonly inputs?: object;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly fileOutputs?: readonly FileOutput[];
}

function adopt({ inputs = {}, stdout = "", stderr = "", fileOutputs = [] }: Adoption): Promise<BlockResult> {
  const context: BlockContext = {
    runId: "run_1",
    path: "it",
    attempt: 1,
    idempotencyKey: "aa",
    workspace,
    signal: new AbortController().signal,
    processes: createProcesses(),
    files: new JournaledFiles({
      ...keepIn(createMemoryBlobs()),
      runId: "run_1",
      fileSystem: createFileSystem(),
      signal: new AbortController().signal,
      locks: new KeyedLocks(),
      workspace,
      stateDirectory: join(workspace, "state"),
      recall: async () => undefined,
      announce: () => Promise.reject(new Error("Adopting changes nothing.")),
      confirmHeld: () => Promise.reject(new Error("Adopting changes nothing.")),
    }),
    http: createHttp(),
    browsers: { perform: () => Promise.reject(new Error("Adopting opens nothing.")), end: async () => {} },
    clock: systemClock,
    environment: createEnvironment({}),
    scratch: createScratch(workspace, "run_1", { mayExist: true }),
    fileOutputs,
    compiled: () => undefined,
    isLiteral: () => true,
    log: () => {},
    prices: createPrices(),
    spend: () => {},
  };
  const input = shell.inputs().parse({ command: "touch ran; exit 3", ...inputs }) as ValueMap;
  const { adopt } = shell.behaviour as LeafBehaviour;
  if (adopt === undefined) throw new Error("Shell can't be adopted.");
  return adopt(input, { stdout, stderr }, context);
}

function output(name: string, path: string, required = true): FileOutput {
  return { name, type: "str", path, required, unsafe: false };
}

test("an interrupted command that was done is a success with what it had written, and does not run", async () => {
  expect(await adopt({ stdout: "so far\n", stderr: "a warning" })).toEqual({
    kind: "succeeded",
    outputs: { exit_code: 0, stdout: "so far\n", stderr: "a warning" },
  });
  expect(readdirSync(workspace)).toEqual([]);
});

test("its output is bounded as ever", async () => {
  const text = `${"a".repeat(1500)}${"z".repeat(1500)}`;
  const { outputs } = (await adopt({ inputs: { max_output: 1000 }, stdout: text })) as { outputs: ValueMap };
  expect(outputs.stdout).toBe(`${"a".repeat(500)}\n... 2,000 bytes left out ...\n${"z".repeat(500)}`);
});

test("its files are read now", async () => {
  mkdirSync(join(workspace, "sub"));
  writeFileSync(join(workspace, "sub", "here"), "1\n");
  mkdirSync(join(workspace, ".scratch", "run_1"), { recursive: true });
  writeFileSync(join(workspace, ".scratch", "run_1", "there"), "2\n");
  const fileOutputs = [output("here", "here"), output("there", "$SCRATCH/there"), output("none", "none", false)];
  expect(await adopt({ inputs: { working_dir: "sub" }, fileOutputs })).toMatchObject({
    kind: "succeeded",
    outputs: { here: "1", there: "2", none: null },
  });
});

test("without a file it promised it has failed", async () => {
  expect(await adopt({ stdout: "so far", fileOutputs: [output("report", "report.txt")] })).toMatchObject({
    kind: "failed",
    message: expect.stringMatching(/^output 'report': /),
    outputs: { exit_code: 0, stdout: "so far", report: null },
  });
});

test("a scratch directory that can't be used is told in words", async () => {
  writeFileSync(join(workspace, ".scratch"), "in the way");
  await expect(adopt({ fileOutputs: [output("report", "$SCRATCH/report")] })).rejects.toMatchObject({
    name: "BlockCannotRun",
    message: expect.stringContaining("is not a directory"),
  });
});
