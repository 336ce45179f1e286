import { formatSeconds } from "../definition/duration.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { positionAt } from "../diagnostic/source.ts";
import type { CheckedWorkflow } from "../library/workflows.ts";
import type { Runtime } from "../runs/runtime.ts";
import type { CaseResult } from "./case-result.ts";
import { type CaseRun, runForCase } from "./case-run.ts";
import { checkFiles } from "./check-files.ts";
import { checkRun } from "./check-run.ts";
import { compare, type Mismatch, placeIn } from "./compare.ts";
import { layOutCase } from "./lay-out-case.ts";
import { mockBlocks } from "./mock-blocks.ts";
import { runScript, type ScriptPlace } from "./run-script.ts";
import type { Ground, TestBench } from "./test-bench.ts";
import type { TestCase } from "./test-file.ts";
import { parseCalls } from "./write-fake.ts";

export interface RunCaseOptions {
  /** Finds the workflow under test. */
  findWorkflow(runtime: Runtime): CheckedWorkflow;
  /** Whether the directories of a case that has failed stay. */
  readonly keep: boolean;
  readonly signal: AbortSignal;
}

/** Runs one case from an empty directory to its result. Nothing of it is left but, if that is asked for, its directories. */
export async function runCase(testCase: TestCase, bench: TestBench, options: RunCaseOptions): Promise<CaseResult> {
  const { name, uses } = testCase;
  const { line } = positionAt(testCase.range.source, testCase.range.start);
  const blank = { name, line, durationMs: 0, needs: [], mismatches: [], failedBlocks: [], warnings: [] };
  if (options.signal.aborted) return { ...blank, status: "cancelled" };
  const needs = uses.filter((program) => bench.findProgram(program) === undefined);
  if (needs.length > 0) return { ...blank, status: "skipped", needs };
  const began = performance.now();
  const warnings: string[] = [];
  const ground = await bench.makeGround();
  let performed: Performed;
  let problem: string | undefined;
  let isKept = false;
  try {
    performed = await perform(testCase, bench, ground, options, (message) => warnings.push(message));
    isKept = options.keep && !options.signal.aborted && performed.mismatches.length > 0;
  } finally {
    problem = await ground.close(isKept);
  }
  const durationMs = performance.now() - began;
  if (options.signal.aborted) return { ...blank, status: "cancelled", durationMs };
  const mismatches = [...performed.mismatches, ...(problem === undefined ? [] : [{ at: "case", message: problem }])];
  if (mismatches.length === 0) return { ...blank, status: "passed", durationMs, warnings };
  const failedBlocks = performed.run?.response.failed_blocks ?? [];
  const kept = isKept ? { kept: ground.root } : {};
  return { ...blank, status: "failed", durationMs, mismatches, failedBlocks, warnings, ...kept };
}

interface Performed {
  readonly run?: CaseRun;
  readonly mismatches: readonly Mismatch[];
}

async function perform(
  testCase: TestCase,
  bench: TestBench,
  ground: Ground,
  options: RunCaseOptions,
  warn: (message: string) => void,
): Promise<Performed> {
  const bash = bench.findProgram("bash");
  if (bash === undefined) return { mismatches: [{ at: "setup", message: "Tests need bash, and it is not on PATH." }] };
  const laidOut = await layOutCase(testCase, ground, bench, bash);
  if (!laidOut.ok) return { mismatches: [laidOut.error] };
  const variables = laidOut.value;
  const runtime = bench.openRuntime({ ground, variables, standIn: mockBlocks(testCase.mocks), warn });
  const limit = new AbortController();
  const message = `ran longer than its limit of ${formatSeconds(testCase.timeoutSeconds)}`;
  const timer = setTimeout(() => limit.abort(message), testCase.timeoutSeconds * 1000);
  const signal = AbortSignal.any([options.signal, limit.signal]);
  try {
    const place = { ports: runtime.platform, workspace: ground.workspace, bash, signal };
    const performed = await runAndCheck(testCase, ground, runtime, options, place);
    // Whatever else is wrong is so because of that.
    return limit.signal.aborted ? { ...performed, mismatches: [{ at: "timeout", message }] } : performed;
  } finally {
    clearTimeout(timer);
    await runtime.platform.close();
  }
}

async function runAndCheck(
  testCase: TestCase,
  ground: Ground,
  runtime: Runtime,
  { findWorkflow }: RunCaseOptions,
  place: ScriptPlace,
): Promise<Performed> {
  const { setup, inputs, answers, expected } = testCase;
  const { workspace } = ground;
  const setUp = setup === undefined ? undefined : await runScript(setup, place);
  if (setUp !== undefined) return { mismatches: [{ at: "setup", message: setUp }] };
  const { plan, diagnostics } = findWorkflow(runtime);
  if (plan === undefined) return { mismatches: diagnostics.filter(isError).map(asMismatch) };
  const before = await readCalls(testCase, ground);
  const run = await runForCase(runtime, plan, { inputs, workspace, answers, signal: place.signal });
  const mismatches = [
    ...checkRun(testCase, run),
    ...(await checkFiles(expected.files, workspace, place.ports.files)),
    ...checkCalls(testCase, before, await readCalls(testCase, ground)),
  ];
  const after = expected.run === undefined ? undefined : await runScript(expected.run, place);
  return { run, mismatches: after === undefined ? mismatches : [...mismatches, { at: "run", message: after }] };
}

type Calls = ReadonlyMap<string, readonly (readonly string[])[]>;

async function readCalls({ commands }: TestCase, ground: Ground): Promise<Calls> {
  const calls = new Map<string, readonly (readonly string[])[]>();
  for (const name of commands.keys()) calls.set(name, parseCalls((await ground.read(ground.calls, name)) ?? ""));
  return calls;
}

/** What the setup did with a fake does not count. */
function checkCalls({ expected }: TestCase, before: Calls, after: Calls): Mismatch[] {
  return [...expected.commands].flatMap(([name, calls]) => {
    const found = (after.get(name) ?? []).slice(before.get(name)?.length ?? 0);
    const items = calls.map((args) => ({ kind: "list", items: args }) as const);
    return compare({ kind: "list", items }, found, placeIn("commands", name));
  });
}

function isError({ level }: Diagnostic): boolean {
  return level === "error";
}

function asMismatch({ message, fix, range }: Diagnostic): Mismatch {
  const text = [message, fix].filter((part) => part !== undefined).join(" ");
  if (range === undefined) return { at: "workflow", message: text };
  const { line, column } = positionAt(range.source, range.start);
  return { at: `${range.source.name}:${line}:${column}`, message: text };
}
