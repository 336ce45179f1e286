import type { Reporter, TestModule, TestSpecification, Vitest } from "vitest/node";
import { promises } from "./promises.ts";

/** Fails a run of all tests in which a test that keeps a promise was not run, or did not pass. */
export class PromiseReporter implements Reporter {
  #vitest: Vitest | undefined;
  #isWhole = false;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    const all = (await this.#vitest?.globTestSpecifications()) ?? [];
    this.#isWhole = this.#vitest?.config.testNamePattern === undefined && specifications.length === all.length;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!this.#isWhole) return;
    const broken = findBroken(modules);
    if (broken.length === 0) return;
    process.stderr.write(`Promises that no test has kept:\n${broken.map((line) => `  ${line}\n`).join("")}`);
    process.exitCode = 1;
  }
}

/** The promises whose test is not among those that passed. */
export function findBroken(modules: Iterable<Pick<TestModule, "children">>): string[] {
  const passed: string[] = [];
  for (const { children } of modules)
    for (const test of children.allTests()) if (test.result().state === "passed") passed.push(test.name);
  return Object.entries(promises).flatMap(([document, promised]) =>
    promised
      .filter(({ keptBy }) => !passed.some((name) => likeTitle(keptBy).test(name)))
      .map(({ words, keptBy }) => `${document}: "${words}" is kept by the test "${keptBy}"`),
  );
}

/** The names that tests of a title have: in that of a table, `%s` and `$field` stand for what the row says, and it may go on. */
function likeTitle(title: string): RegExp {
  const parts = title.split(/%[a-z]|\$[\w.]+/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}`, "s");
}
