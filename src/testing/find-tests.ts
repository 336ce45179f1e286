import { basename, dirname, join, normalize, relative } from "node:path";
import { type Diagnostic, hasErrors } from "../diagnostic/diagnostic.ts";
import type { Range, Source } from "../diagnostic/source.ts";
import type { CheckedWorkflow, Workflows } from "../library/workflows.ts";
import type { Runtime } from "../runs/runtime.ts";
import { err, ok, type Result } from "../util/result.ts";
import { loadTestFile } from "./load-test-file.ts";
import type { TestBench } from "./test-bench.ts";
import type { TestCase, TestFile } from "./test-file.ts";

/** A test file that can be run. */
export interface FoundTests {
  readonly file: string;
  /** Name of the workflow under test. */
  readonly workflow: string;
  readonly cases: readonly TestCase[];
  findWorkflow(runtime: Runtime): CheckedWorkflow;
}

/**
 * The tests in files and below directories, and of workflows by their names; or everything that is wrong with them. Who names a file
 * vouches for it, unless it is said otherwise.
 */
export function findTests(
  paths: readonly string[],
  bench: TestBench,
  vouches: boolean,
): Result<FoundTests[], readonly Diagnostic[]> {
  const found: FoundTests[] = [];
  const problems: Diagnostic[] = [];
  /** With whether it was named itself. */
  const files = new Map<string, boolean>();
  for (const path of paths) {
    const listed = bench.listTestFiles(path) ?? listNamed(path, bench);
    for (const file of listed ?? [testFileFor(path, bench)]) {
      const known = normalize(file);
      // Naming a file is an act of trust, and naming a directory is not one for what lies in a `.frond` below it.
      if (listed === undefined || !files.has(known)) files.set(known, listed === undefined && vouches);
    }
  }
  for (const [file, isNamed] of files) {
    const tests = openTests(file, bench, isNamed);
    if (tests.ok) found.push(tests.value);
    else problems.push(...tests.error);
  }
  return problems.length === 0 ? ok(found) : err(problems);
}

export const noTestFile = "not-a-test-file";

const testFileName = /\.test\.ya?ml$/;

export function isTestFile(path: string): boolean {
  return testFileName.test(path);
}

/** A file of that name comes before a workflow of the library. */
function listNamed(name: string, bench: TestBench): readonly string[] | undefined {
  if ("text" in bench.readText(testFileFor(name, bench))) return undefined;
  const file = testFileOfName(name, bench);
  return file === undefined ? undefined : [file];
}

/** Where the tests of a workflow of the library are, or the workflow itself where there are none; nothing when there is no such. */
export function testFileOfName(name: string, bench: TestBench): string | undefined {
  const { library } = bench.runtime.workflows;
  const entry = library.find(name) ?? library.entries().find((one) => one.name === name);
  return entry === undefined ? undefined : testFileFor(entry.file, bench);
}

/** Whoever names a workflow means the tests beside it. */
function testFileFor(path: string, bench: TestBench): string {
  if (isTestFile(path)) return path;
  const stem = path.replace(/\.ya?ml$/, "");
  return [`${stem}.test.yaml`, `${stem}.test.yml`].find((file) => "text" in bench.readText(file)) ?? path;
}

/** The tests in one file, or everything that is wrong with it. One that is not named itself has to be trusted. */
export function openTests(file: string, bench: TestBench, isNamed: boolean): Result<FoundTests, readonly Diagnostic[]> {
  const { workflows } = bench.runtime;
  const source = workflows.readSource(file);
  if (!("text" in source)) return err([source]);
  if (!isTestFile(file)) {
    const isWorkflow = /\.ya?ml$/.test(file);
    const message = isWorkflow ? `There is no test file beside '${file}'.` : `'${file}' is not a test file.`;
    const fix = isWorkflow
      ? `Write one: ${basename(file).replace(/\.ya?ml$/, ".test.yaml")} tests ${basename(file)}.`
      : "The name of a test file ends with .test.yaml.";
    return err([{ code: noTestFile, level: "error", message, fix }]);
  }
  const untrusted = isNamed ? undefined : refuseUntrusted(`The test file '${file}'`, source, workflows);
  if (untrusted !== undefined) return err([untrusted]);
  const loaded = loadTestFile(source, workflows.catalog);
  if (!loaded.ok) return loaded;
  const target = findTarget(file, loaded.value, bench, isNamed);
  if (!target.ok) return err([target.error]);
  const { definition, diagnostics } = target.value(bench.runtime);
  if (definition !== undefined && !hasErrors(diagnostics)) {
    return ok({ file, workflow: definition.name, cases: loaded.value.cases, findWorkflow: target.value });
  }
  const range = loaded.value.workflow?.range;
  return err(diagnostics.filter(({ level }) => level === "error").map((problem) => placed(problem, range)));
}

type FindWorkflow = FoundTests["findWorkflow"];

/** The workflow under test. A test file that is named brings those in its own directory with it, and no others. */
function findTarget(
  file: string,
  { workflow, source }: TestFile,
  bench: TestBench,
  isNamed: boolean,
): Result<FindWorkflow, Diagnostic> {
  if (workflow?.kind === "name") return ok(({ workflows }) => workflows.findByName(workflow.text));
  const stem = file.replace(testFileName, "");
  const candidates = workflow === undefined ? [`${stem}.yaml`, `${stem}.yml`] : [join(dirname(file), workflow.text)];
  const path = candidates.find((candidate) => "text" in bench.readText(candidate));
  if (path !== undefined) {
    // A case has a state directory of its own, in which nothing is on record.
    const judging = bench.runtime.workflows;
    const comesWithIt = isNamed && !/^\.\.([\\/]|$)/.test(relative(dirname(file), path));
    return ok(({ workflows }) => {
      const read = workflows.readSource(path);
      if (!("text" in read)) return { diagnostics: [read] };
      const untrusted = comesWithIt ? undefined : refuseUntrusted(`The workflow in '${path}'`, read, judging);
      if (untrusted !== undefined) return { diagnostics: [untrusted] };
      return workflows.checkText({ ...read, reach: judging.reachOf(path, comesWithIt) });
    });
  }
  return err({
    code: "no-workflow",
    level: "error",
    message: `No workflow is named ${candidates.map((candidate) => `'${candidate}'`).join(" or ")} to test.`,
    fix: "Name it with `workflow:`, by its name in the library or by its path from here.",
    range: workflow?.range ?? { source, start: 0, end: Math.min(1, source.text.length) },
  });
}

/** Judges the very text that is used. */
function refuseUntrusted(what: string, { name, text }: Source, workflows: Workflows): Diagnostic | undefined {
  const standing = workflows.standingOf(name, text);
  return standing === "trusted" ? undefined : workflows.explainUntrusted(what, name, standing);
}

/** What has no place of its own is told where the workflow is named. */
function placed(problem: Diagnostic, range: Range | undefined): Diagnostic {
  return problem.range !== undefined || range === undefined ? problem : { ...problem, range };
}
