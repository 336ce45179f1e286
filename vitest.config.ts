import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { configDefaults, defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { buildThread, threads } from "./scripts/threads.js";
import { FlakyReporter } from "./test/promises/flaky-reporter.ts";
import { PromiseReporter } from "./test/promises/promise-reporter.ts";
import { pathWithPython } from "./test/rig/path-with-python.ts";

/** Those that take longest, longest first: begun last, one of them would leave a core idle at the end. */
const slowest = [
  "test/library/workflow-tests.long",
  "test/cli/init",
  "test/cli/advice",
  "test/crash/kills.long",
  "test/docs/add-a-block-type",
  "test/docs/recipes",
  "src/blocks/shell/scan-speed.long",
  "test/shell/contexts",
  "test/mcp/resources",
  "test/engine/simulation.long",
  "test/cli/escapes",
  "test/cli/trust",
];

/** Vitest orders by what it remembers of the last run, and a fresh clone remembers nothing. A project at a time: its workers are kept. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const found = slowest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return (found === -1 ? slowest.length : found) + projects.indexOf(project.name) * (slowest.length + 1);
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** In the order in which they are run. */
const projects = ["alone", "bin", "together", "on-disk"];

/** Those that measure the memory of their own process, or of one that it starts: what others have left in it would count. */
const measuring = [
  "src/blocks/shell/scan-speed.long.test.ts",
  "src/blocks/template/scan-template.test.ts",
  "src/expression/{evaluate,functions,parse-template,value}.test.ts",
  "src/plan/plan-workflow.test.ts",
  "src/mcp/fit-response.test.ts",
  "src/util/{time-slice,write-json}.test.ts",
  "test/cli/runs.test.ts",
  "test/definition/bad-input.test.ts",
  "src/platform/processes/processes.test.ts",
  "test/platform/http-bodies.test.ts",
  "test/engine/scheduling.test.ts",
];

/**
 * Those whose temporary files are not kept in memory: a sandbox has devices of its own, and with them another memory; some look at what is in
 * the usual directory, or have paths in lines that are only so long.
 */
const onDisk = [
  "test/blocks/{agent-effects,isolated,sandbox,sandbox-guards}.test.ts",
  "test/cli/{browser-end,isolated,named-commands,sandbox}.test.ts",
  "test/platform/sandboxed-processes.test.ts",
];

/**
 * Those that mostly start the bin. To start a process takes the longer the more memory the one has that starts it, and a worker has four
 * times as much once it has run engines.
 */
const startingTheBin = ["test/{cli,docs,doors,http,library,mcp}/**/*.test.ts"];

/** Threads load files, not modules that Vite has made of TypeScript: their programs are built of the sources. */
const threadsFromSources = {
  name: "threads",
  enforce: "pre" as const,
  load(id: string): string | undefined {
    const [, program] = Object.entries(threads).find(([module]) => id.endsWith(`/${module}`)) ?? [];
    if (program === undefined) return undefined;
    const file = resolve(`node_modules/.cache/frond-${basename(program, ".ts")}-${process.pid}.cjs`);
    buildThread(program, file);
    process.once("exit", () => rmSync(file, { force: true }));
    return `export const threadFile = new URL(${JSON.stringify(pathToFileURL(file).href)});`;
  },
};

const config: ViteUserConfig = defineConfig({
  plugins: [threadsFromSources],
  test: {
    // So long that no machine is too busy: what never comes is told late instead of what comes late being told as a fault.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Two more than the machine has cores on which this is to be fast: many tests wait, for a timer or for a process to end.
    maxWorkers: 4,
    env: { PATH: pathWithPython(process.env.PATH ?? "") },
    globalSetup: "test/rig/temporary-files.ts",
    // `npm run on-postgres`
    setupFiles: process.env.FROND_TEST_DATABASES === undefined ? [] : ["test/rig/leave-out.ts"],
    sequence: { sequencer: SlowestFirst },
    reporters: ["default", new PromiseReporter(), new FlakyReporter()],
    projects: [
      { extends: true, test: { name: "alone", include: measuring } },
      // To start a worker and load the engine takes longer than most files do. The engine keeps nothing in its modules that a run
      // could see, and a test gives back what it changes of its process: timers, environment, umask.
      {
        extends: true,
        test: {
          name: "bin",
          include: startingTheBin,
          exclude: [...configDefaults.exclude, ...measuring, ...onDisk],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "together",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...measuring, ...startingTheBin, ...onDisk],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: "on-disk", include: onDisk, isolate: false, env: { TMPDIR: tmpdir() } },
      },
    ],
  },
});
export default config;
