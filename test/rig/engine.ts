import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createCatalog } from "../../src/block/catalog.ts";
import type { BlockType } from "../../src/block/define-block.ts";
import type { Clock } from "../../src/block/ports.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import type { Diagnostic } from "../../src/diagnostic/diagnostic.ts";
import type { Value, ValueMap } from "../../src/expression/value.ts";
import { systemClock } from "../../src/node/clock.ts";
import { directoryInside, realDirectory } from "../../src/node/directories.ts";
import { createEnvironment } from "../../src/node/environment.ts";
import { createFiles } from "../../src/node/files.ts";
import { createProcesses } from "../../src/node/processes.ts";
import { createScratch } from "../../src/node/scratch.ts";
import type { Plan } from "../../src/plan/plan.ts";
import type { InputProblem } from "../../src/run/bind-inputs.ts";
import type { RunEvent } from "../../src/run/events.ts";
import type { Runner } from "../../src/run/runner.ts";
import type { RunState } from "../../src/run/state.ts";
import type { Outside } from "../../src/service/outside.ts";
import { describeRun, type WorkflowResponse } from "../../src/service/response.ts";
import { type Engine, startRun } from "../../src/service/start-run.ts";
import { type CheckedWorkflow, Workflows } from "../../src/service/workflows.ts";
import type { Result } from "../../src/util/result.ts";
import { Semaphore } from "../../src/util/semaphore.ts";

/** A definition as YAML text, or as the data that text would hold. Name and description may be left out of data. */
export type Written = string | { readonly blocks: readonly unknown[]; readonly [key: string]: unknown };

export interface TestEngineOptions {
  /** The library: what can be called by name. Data gets its key as its name. */
  readonly workflows?: Readonly<Record<string, Written>>;
  /** Block types beside the real ones. */
  readonly types?: readonly BlockType[];
  readonly clock?: Clock;
  readonly environment?: Readonly<Record<string, string>>;
  readonly maxProcesses?: number;
  readonly maxDepth?: number;
  /** Between TERM and KILL. */
  readonly graceMs?: number;
  readonly createScratch?: Outside["createScratch"];
  /** Without it, a warning fails the test. */
  onWarning?(message: string): void;
}

export interface TestRunOptions {
  readonly inputs?: ValueMap;
  readonly maxParallel?: number;
  onEvents?(events: readonly RunEvent[]): void;
  onOutput?(path: string, text: string): void;
}

/** A run at its end, or where it waits for answers. */
export interface Outcome {
  readonly response: WorkflowResponse;
  readonly state: RunState;
  readonly events: readonly RunEvent[];
}

export interface TestRun {
  readonly runner: Runner;
  readonly events: readonly RunEvent[];
  /** Resolves when the run has ended or waits for answers. */
  readonly settled: Promise<Outcome>;
  /** Lets everything happen that can happen before the next release by hand. */
  idle(): Promise<void>;
  /** Answers the question of the block at this address; the reason if the answer is refused. */
  answer(path: string, answer: Value): Result<void, string>;
  /** Goes on after answers, until the run ends or waits again. */
  goOn(): Promise<Outcome>;
}

export interface TestEngine {
  readonly engine: Engine;
  /** A fresh directory, removed with the engine. */
  readonly workspace: string;
  check(written: Written): CheckedWorkflow;
  /** A plan, or a throw that names every error. */
  plan(written: Written): Plan;
  start(written: Written, options?: TestRunOptions): TestRun;
  /** Starts and waits until the run has ended or waits for answers. */
  run(written: Written, options?: TestRunOptions): Promise<Outcome>;
  /** The problems of the inputs a run was refused for. */
  refusal(written: Written, inputs: ValueMap): readonly InputProblem[];
  close(): Promise<void>;
}

/** An engine with real ports in a workspace of its own, put together as the composition root does. Closed with the test. */
export function createTestEngine(options: TestEngineOptions = {}): TestEngine {
  const testEngine = openTestEngine(options);
  onTestFinished(() => testEngine.close());
  return testEngine;
}

/** The same for those who close it themselves. */
export function openTestEngine(options: TestEngineOptions = {}): TestEngine {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "frond-test-")));
  const texts = new Map(Object.entries(options.workflows ?? {}).map(([name, text]) => [name, textOf(text, name)]));
  const outside = createOutside(texts, options);
  const catalog = createCatalog([...blockTypes, ...(options.types ?? [])]);
  const library = { path: libraryPath, source: "user", trusted: true, expected: false } as const;
  const engine: Engine = {
    workflows: new Workflows(catalog, [library], outside),
    outside,
    maxDepth: options.maxDepth ?? 50,
  };

  function check(written: Written): CheckedWorkflow {
    return engine.workflows.checkText({ name: "test.yaml", text: textOf(written, "test") });
  }

  function plan(written: Written): Plan {
    const checked = check(written);
    if (checked.plan === undefined) throw new Error(`The workflow is refused: ${explain(checked.diagnostics)}`);
    return checked.plan;
  }

  function begin(written: Written, run: TestRunOptions, events: RunEvent[]): ReturnType<typeof startRun> {
    return startRun(engine, plan(written), {
      inputs: run.inputs ?? {},
      workspace,
      ...(run.maxParallel === undefined ? {} : { maxParallel: run.maxParallel }),
      onEvents(group) {
        events.push(...group);
        run.onEvents?.(group);
      },
      onOutput: (path, _stream, chunk) => run.onOutput?.(path, Buffer.from(chunk).toString()),
    });
  }

  function start(written: Written, run: TestRunOptions = {}): TestRun {
    const events: RunEvent[] = [];
    const begun = begin(written, run, events);
    if (!begun.ok) throw new Error(`The inputs are refused: ${begun.error.map(({ message }) => message).join(" ")}`);
    const runner = begun.value;
    const goOn = async (): Promise<Outcome> => {
      await runner.drive();
      return { response: describeRun(runner.state, "detailed"), state: runner.state, events };
    };
    return {
      runner,
      events,
      settled: goOn(),
      idle: () => new Promise((resolve) => setImmediate(resolve)),
      answer(path, answer) {
        const waiting = [...runner.state.pending].find(([, node]) => node.path === path);
        if (waiting === undefined) throw new Error(`${path} waits for no answer.`);
        return runner.answer(waiting[0], answer, "test");
      },
      goOn,
    };
  }

  return {
    engine,
    workspace,
    check,
    plan,
    start,
    run: (written, run) => start(written, run).settled,
    refusal(written, inputs) {
      const begun = begin(written, { inputs }, []);
      return begun.ok ? [] : begun.error;
    },
    async close() {
      await outside.ports.processes.close(0);
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}

const libraryPath = "library";

function createOutside(texts: ReadonlyMap<string, string>, options: TestEngineOptions): Outside {
  return {
    ports: {
      processes: createProcesses({ graceMs: options.graceMs ?? 1000 }),
      files: createFiles(),
      clock: options.clock ?? systemClock,
      environment: createEnvironment({ PATH: process.env.PATH, HOME: process.env.HOME, ...options.environment }),
    },
    processSlots: new Semaphore(options.maxProcesses ?? 8),
    createScratch: options.createScratch ?? createScratch,
    listWorkflowFiles: () => [...texts.keys()],
    readWorkflowText: (name) => ({ text: texts.get(name) ?? "" }),
    realDirectory,
    directoryInside,
    trust: { has: () => true, add: notHere, remove: notHere, list: () => [] },
    warn: options.onWarning ?? unexpectedWarning,
  };
}

function unexpectedWarning(message: string): never {
  throw new Error(`Unexpected warning: ${message}`);
}

function notHere(): never {
  throw new Error("Tests of runs have no trust store.");
}

function textOf(written: Written, name: string): string {
  return typeof written === "string" ? written : JSON.stringify({ name, description: "Made by a test", ...written });
}

/** All errors in one line, for a test's own message. */
export function explain(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .filter(({ level }) => level === "error")
    .map(({ code, message }) => `${code}: ${message}`)
    .join(" ");
}
