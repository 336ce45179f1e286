import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createPlatform } from "../../src/create-platform.ts";
import { createTestBench } from "../../src/create-test-bench.ts";
import type { Diagnostic } from "../../src/diagnostic/diagnostic.ts";
import { createMemoryStorage } from "../../src/journal/memory/memory-journal.ts";
import type { CaseResult } from "../../src/testing/case-result.ts";
import type { Mismatch } from "../../src/testing/compare.ts";
import { runTests, type TestOptions } from "../../src/testing/run-tests.ts";
import type { Result } from "../../src/util/result.ts";

export type Texts = Readonly<Record<string, string | object>>;

/** Runs the test files among these, as `frond test` does where they lie; a text that is no text yet becomes JSON. */
export async function runTestFiles(
  texts: Texts,
  options: Partial<TestOptions> = {},
): Promise<Result<readonly CaseResult[], readonly Diagnostic[]>> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "frond-tests-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof text === "string" ? text : JSON.stringify(text));
  }
  const library = join(root, "library");
  const variables = { PATH: process.env.PATH, HOME: root, WORKFLOWS_TEMPLATE_PATHS: library };
  mkdirSync(library, { recursive: true });
  const platform = createPlatform({
    variables,
    stateDirectory: join(root, "state"),
    journalStorage: createMemoryStorage(),
    warn(message) {
      throw new Error(`Unexpected warning: ${message}`);
    },
  });
  const bench = createTestBench(platform, { packageRoot: root, home: root, workspace: root, variables });
  try {
    const ran = await runTests(bench, {
      paths: [root],
      vouches: true,
      jobs: 2,
      keep: false,
      signal: new AbortController().signal,
      onFile() {},
      ...options,
    });
    return ran.ok ? { ok: true, value: ran.value.flatMap(({ cases }) => cases) } : ran;
  } finally {
    await bench.close();
    await platform.close();
  }
}

export interface Tested {
  readonly workflow: object;
  /** Workflows that can be called, by name. */
  readonly library?: Readonly<Record<string, object>>;
}

/** The results of cases of one workflow, which is given without what every workflow has. */
export async function runCases(tested: Tested, cases: readonly object[]): Promise<readonly CaseResult[]> {
  const children = Object.entries(tested.library ?? {}).map(
    ([name, child]) => [`library/${name}.yaml`, { name, description: "Made by a test", ...child }] as const,
  );
  const ran = await runTestFiles({
    "main.yaml": { name: "main", description: "Made by a test", ...tested.workflow },
    "main.test.yaml": { cases: cases.map((one, index) => ({ name: `case ${index + 1}`, ...one })) },
    ...Object.fromEntries(children),
  });
  if (!ran.ok) throw new Error(`Refused: ${ran.error.map(({ message }) => message).join(" ")}`);
  return ran.value;
}

/** What is wrong with the one case of a workflow. */
export async function mismatchesOf(tested: Tested, one: object): Promise<readonly Mismatch[]> {
  const [result] = await runCases(tested, [one]);
  return result?.mismatches ?? [];
}
