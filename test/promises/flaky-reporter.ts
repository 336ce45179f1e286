import type { Reporter, TestModule } from "vitest/node";

/** Names the tests that passed only when they were tried again: each is a fault of a test, or worse, and is to be mended. */
export class FlakyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky: string[] = [];
    for (const { children, relativeModuleId } of modules)
      for (const test of children.allTests())
        if (test.diagnostic()?.flaky === true) flaky.push(`${relativeModuleId}: ${test.fullName}`);
    if (flaky.length === 0) return;
    process.stderr.write(`Passed only at the second try:\n${flaky.map((line) => `  ${line}\n`).join("")}`);
  }
}
