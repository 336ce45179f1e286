import { onTestFinished } from "vitest";
import { createCatalog } from "../../src/block/catalog.ts";
import type { BlockType, OnInterrupted } from "../../src/block/define-block.ts";
import type { SandboxLimits } from "../../src/block/sandbox.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import type { Diagnostic } from "../../src/diagnostic/diagnostic.ts";
import type { InputProblem } from "../../src/engine/bind-inputs.ts";
import type { RunBudget, RunEvent } from "../../src/engine/events.ts";
import { defaultLimits, type RunLimits } from "../../src/engine/limits.ts";
import type { RunState } from "../../src/engine/state.ts";
import type { Value, ValueMap } from "../../src/expression/value.ts";
import { type CheckedWorkflow, Workflows } from "../../src/library/workflows.ts";
import type { Plan } from "../../src/plan/plan.ts";
import { answerQuestion } from "../../src/runs/answer-question.ts";
import { cancelRun } from "../../src/runs/cancel-run.ts";
import type { DrivenRun, RunListener } from "../../src/runs/driven-run.ts";
import { rollBack } from "../../src/runs/roll-back.ts";
import type { Runtime } from "../../src/runs/runtime.ts";
import { startRun } from "../../src/runs/start-run.ts";
import { takeOver } from "../../src/runs/take-over.ts";
import { err, ok, type Result } from "../../src/util/result.ts";
import { describeRun, type WorkflowResponse } from "../../src/views/response.ts";
import { idle } from "./idle.ts";
import { TestMachine, type TestProcess } from "./machine.ts";
import { createTestPlatform, type TestPlatformOptions } from "./test-platform.ts";

/** A definition as YAML text, or as the data that text would hold. Name and description may be left out of data. */
export type Written = string | { readonly blocks: readonly unknown[]; readonly [key: string]: unknown };

export interface TestEngineOptions extends TestPlatformOptions {
  /** The library: what can be called by name. Data gets its key as its name. */
  readonly workflows?: Readonly<Record<string, Written>>;
  /** Block types beside the real ones. */
  readonly types?: readonly BlockType[];
  readonly maxDepth?: number;
  readonly budgetUsd?: number;
  readonly limits?: Partial<RunLimits>;
  /** What it shares with other engines; without it, it has a machine for itself. */
  readonly machine?: TestMachine;
}

export interface TestRunOptions extends TestListener {
  readonly inputs?: ValueMap;
  readonly maxParallel?: number;
  readonly sandbox?: SandboxLimits;
  readonly observe?: true;
  readonly budget?: RunBudget;
}

interface TestListener {
  onEvents?(events: readonly RunEvent[]): void;
  onOutput?(path: string, text: string): void;
}

export interface TestTakeOverOptions extends TestListener {
  /** Decides for every block that was interrupted. */
  readonly onInterrupted?: OnInterrupted;
}

/** A run at its end, or where it waits for answers. */
export interface Outcome {
  readonly response: WorkflowResponse;
  readonly state: RunState;
  readonly events: readonly RunEvent[];
}

export interface TestRun {
  readonly runId: string;
  /** Of whoever drives the run now; a run that goes on after a pause has a new one, made from its events. */
  readonly state: RunState;
  /** All events of the run, also those of processes before this one. */
  readonly events: readonly RunEvent[];
  readonly driven: DrivenRun;
  /** Resolves when the run has ended or waits for answers. */
  readonly settled: Promise<Outcome>;
  /** Lets everything happen that can happen before the next release by hand. */
  idle(): Promise<void>;
  /** Answers the question of the block at this address, or with this id; the reason if the answer is refused. */
  answer(question: string, answer: Value): Promise<Result<void, string>>;
  cancel(message?: string): Promise<void>;
  /** Goes on after answers, until the run ends or waits again. */
  goOn(): Promise<Outcome>;
}

export interface TestEngine {
  readonly engine: Runtime;
  /** Whose death leaves everything of this engine where it is. */
  readonly process: TestProcess;
  /** A fresh directory, removed with the engine. */
  readonly workspace: string;
  check(written: Written): CheckedWorkflow;
  /** A plan, or a throw that names every error. */
  plan(written: Written): Plan;
  start(written: Written, options?: TestRunOptions): Promise<TestRun>;
  /** Starts and waits until the run has ended or waits for answers. */
  run(written: Written, options?: TestRunOptions): Promise<Outcome>;
  /** Goes on with a run that nobody drives. */
  takeOver(runId: string, options?: TestTakeOverOptions): Promise<TestRun>;
  /** The problems of the inputs a run was refused for. */
  refusal(written: Written, inputs: ValueMap): Promise<readonly InputProblem[]>;
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
  const machine = options.machine ?? new TestMachine();
  const { workspace } = machine;
  const ownProcess = machine.boot();
  const texts = new Map(Object.entries(options.workflows ?? {}).map(([name, text]) => [name, textOf(text, name)]));
  const platform = createTestPlatform(texts, machine, ownProcess, options);
  const catalog = createCatalog([...blockTypes, ...(options.types ?? [])]);
  const library = { path: libraryPath, source: "user", expected: false } as const;
  const limits = { ...defaultLimits, ...options.limits };
  const engine: Runtime = {
    workflows: new Workflows(catalog, [library], platform, { maxNodes: limits.nodes }),
    platform,
    maxDepth: options.maxDepth ?? 50,
    limits,
    ...(options.budgetUsd === undefined ? {} : { budgetUsd: options.budgetUsd }),
    rollBack,
  };

  function check(written: Written): CheckedWorkflow {
    return engine.workflows.checkText({ name: "test.yaml", text: textOf(written, "test") });
  }

  function plan(written: Written): Plan {
    const checked = check(written);
    if (checked.plan === undefined) throw new Error(`The workflow is refused: ${explain(checked.diagnostics)}`);
    return checked.plan;
  }

  function listen(run: TestListener, events: RunEvent[]): RunListener {
    return {
      onEvents(group) {
        events.push(...group);
        run.onEvents?.(group);
      },
      onOutput: (path, _stream, chunk) => run.onOutput?.(path, Buffer.from(chunk).toString()),
    };
  }

  function begin(written: Written, run: TestRunOptions, listener: RunListener): ReturnType<typeof startRun> {
    const { maxParallel, sandbox, observe, budget } = run;
    const limits = {
      ...(maxParallel === undefined ? {} : { maxParallel }),
      ...(sandbox === undefined ? {} : { sandbox }),
      ...(observe === undefined ? {} : { observe }),
      ...(budget === undefined ? {} : { budget }),
    };
    return startRun(engine, plan(written), { inputs: run.inputs ?? {}, workspace, ...limits, ...listener });
  }

  async function start(written: Written, run: TestRunOptions = {}): Promise<TestRun> {
    const events: RunEvent[] = [];
    const listener = listen(run, events);
    const begun = await begin(written, run, listener);
    if (!begun.ok) throw new Error(`The run is refused: ${JSON.stringify(begun.error)}`);
    return follow(begun.value, events, listener);
  }

  async function goOnWith(runId: string, options: TestTakeOverOptions = {}): Promise<TestRun> {
    const events = [...(await machine.journal.read(runId))];
    const listener = listen(options, events);
    const { onInterrupted } = options;
    const rule = onInterrupted === undefined ? {} : { onInterrupted };
    const taken = await takeOver(engine, runId, { ...rule, ...listener });
    if (!taken.ok) throw new Error(`The run can't be taken over: ${taken.error.message}`);
    return follow(taken.value, events, listener);
  }

  async function follow(first: DrivenRun, events: readonly RunEvent[], listener: RunListener): Promise<TestRun> {
    let driven = first;
    let state = await driven.inspect((current) => current);
    let isPaused = false;
    const settle = async (run: DrivenRun): Promise<void> => {
      const settled = await run.settled();
      if (run === driven) isPaused = settled !== "finished";
    };
    const goOn = async (): Promise<Outcome> => {
      await settle(driven);
      return { response: describeRun(state, { format: "detailed", nextSteps }), state, events };
    };
    const answer = async (id: string, value: Value): Promise<Result<void, string>> => {
      // It is released with the commit of its pause, which somebody may hear of before the rig does.
      const isReleased = isPaused || (state.paused && (await machine.journal.find(driven.runId))?.lease === undefined);
      if (!isReleased) {
        const taken = await driven.answer(id, value, "test");
        return taken.ok ? ok(undefined) : taken;
      }
      const answered = await answerQuestion(engine, id, { value, by: "test", isHuman: true }, listener);
      if (!answered.ok) return err(answered.error.message);
      if (answered.value.kind !== "driven") return ok(undefined);
      driven = answered.value.run;
      state = await driven.inspect((current) => current);
      isPaused = false;
      // Whoever waits for it hears of what goes wrong.
      settle(driven).catch(() => {});
      return ok(undefined);
    };
    /** What is under `finally` goes on by itself; without it the run ends at once. */
    const goOnWithCancelled = async (run: DrivenRun): Promise<void> => {
      driven = run;
      state = await driven.inspect((current) => current);
      isPaused = false;
      const settling = settle(driven);
      // Whoever waits for it hears of what goes wrong.
      settling.catch(() => {});
      await Promise.race([settling, idle()]);
    };
    return {
      get runId() {
        return driven.runId;
      },
      get state() {
        return state;
      },
      events,
      get driven() {
        return driven;
      },
      settled: goOn(),
      idle,
      answer(question, value) {
        const waiting = [...state.questions].find(([, node]) => node.path === question);
        return answer(waiting?.[0] ?? question, value);
      },
      async cancel(message = "cancelled") {
        if (!isPaused) return driven.cancel(message);
        await cancelRun(engine, driven.runId, { ...listener, drive: goOnWithCancelled });
      },
      goOn,
    };
  }

  return {
    engine,
    process: ownProcess,
    workspace,
    check,
    plan,
    start,
    run: async (written, run) => (await start(written, run)).settled,
    takeOver: goOnWith,
    async refusal(written, inputs) {
      const begun = await begin(written, { inputs }, listen({}, []));
      return begun.ok || begun.error.kind !== "inputs" ? [] : begun.error.problems;
    },
    async close() {
      await platform.close();
      if (machine !== options.machine) machine.close();
    },
  };
}

const libraryPath = "library";

/** Tests of what a door says are tests of that door. */
const nextSteps = {
  answer: () => "answer it",
  wake: () => "",
  takeOver: () => "take it over",
  follow: () => "follow it",
  runAll: () => "",
  redo: () => "",
  takeBack: () => "",
  repair: () => "repair it",
  inspect: () => "inspect it",
};

/** The text of a definition. */
export function textOf(written: Written, name: string): string {
  return typeof written === "string" ? written : JSON.stringify({ name, description: "Made by a test", ...written });
}

/** All errors in one line, for a test's own message. */
export function explain(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .filter(({ level }) => level === "error")
    .map(({ code, message }) => `${code}: ${message}`)
    .join(" ");
}
