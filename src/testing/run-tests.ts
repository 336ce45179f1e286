import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { CaseResult, FileResult } from "./case-result.ts";
import { type FoundTests, findTests } from "./find-tests.ts";
import { runCase } from "./run-case.ts";
import type { TestBench } from "./test-bench.ts";
import type { TestCase } from "./test-file.ts";

export interface TestOptions {
  /** Files, directories and names of workflows. */
  readonly paths: readonly string[];
  /** Whether who names a file vouches for it. */
  readonly vouches: boolean;
  /** How many cases run at the same time. */
  readonly jobs: number;
  /** Only cases whose name, or whose file's, holds this. */
  readonly filter?: string;
  readonly keep: boolean;
  readonly signal: AbortSignal;
  /** Called for each file when its cases have ended, in the order of the files. */
  onFile(result: FileResult): void;
}

interface Job {
  readonly tests: FoundTests;
  readonly testCase: TestCase;
  result?: CaseResult;
}

/** Runs the cases of test files, many at the same time. When one of the files is invalid nothing is run. */
export async function runTests(
  bench: TestBench,
  options: TestOptions,
): Promise<Result<readonly FileResult[], readonly Diagnostic[]>> {
  const found = findTests(options.paths, bench, options.vouches);
  if (!found.ok) return found;
  const { filter = "" } = options;
  const groups = found.value
    .map((tests) =>
      tests.cases
        .filter(({ name }) => `${tests.file} ${name}`.includes(filter))
        .map((testCase): Job => ({ tests, testCase })),
    )
    .filter((jobs) => jobs.length > 0);
  if (groups.length === 0) return err([nothingToDo(options)]);
  const results: FileResult[] = [];
  const tellEnded = (): void => {
    for (let jobs = groups[results.length]; jobs?.every(hasEnded); jobs = groups[results.length]) {
      const [{ tests }] = jobs as [Job];
      const result = { file: tests.file, workflow: tests.workflow, cases: jobs.map((job) => job.result as CaseResult) };
      results.push(result);
      options.onFile(result);
    }
  };
  const waiting = groups.flat().values();
  const work = async (): Promise<void> => {
    for (const job of waiting) {
      const { findWorkflow } = job.tests;
      job.result = await runCase(job.testCase, bench, { findWorkflow, keep: options.keep, signal: options.signal });
      tellEnded();
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: options.jobs }, work));
  // A bug ends everything, but not before the other cases have cleaned up behind them.
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  return ok(results);
}

function hasEnded({ result }: Job): boolean {
  return result !== undefined;
}

function nothingToDo({ paths, filter }: TestOptions): Diagnostic {
  const where = paths.map((path) => (path === "." ? "this directory" : `'${path}'`)).join(", ");
  const message =
    filter === undefined ? `There are no test files in ${where}.` : `No case in ${where} is called '${filter}'.`;
  const fix =
    filter === undefined
      ? "Write one beside a workflow: NAME.test.yaml tests NAME.yaml."
      : "Give a part of the name of a case or of its file.";
  return { code: "no-tests", level: "error", message, fix };
}
