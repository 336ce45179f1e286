import * as z from "zod";
import { BlockCannotRun, type BlockContext, type BlockResult, type BlockType } from "../../src/block/define-block.ts";
import type { Cost } from "../../src/block/spend.ts";
import type { Value, ValueMap } from "../../src/expression/value.ts";
import { once } from "../../src/util/once.ts";

const question = { text: "Go on?", audience: "llm" } as const;

/** How a step can end; a written `ends` makes it end so by itself, at once. */
const ends = z.enum(["succeed", "fail", "crash", "pause"]);

interface RunningStep {
  readonly context: BlockContext;
  readonly input: ValueMap;
  readonly answer: Value | undefined;
  settle(result: BlockResult): void;
  crash(message: string): void;
}

/**
 * A block type whose blocks wait until the test releases them by their address, so that a test decides the order of events and
 * needs neither processes nor sleeping. A step that is told to stop ends at once.
 */
export class Steps {
  /** Addresses in the order in which the steps began, also when they went on after an answer. */
  readonly begun: string[] = [];
  /** The most steps that ever ran at the same time. */
  mostRunning = 0;
  readonly #running = new Map<string, RunningStep>();
  readonly type: BlockType;
  /** The same, but it counts as one that starts a command. */
  readonly command: BlockType;
  /** The same, but it counts as one that only computes; so it is to end by itself. */
  readonly computed: BlockType;

  constructor() {
    const begin = (input: ValueMap, context: BlockContext, answer?: Value): Promise<BlockResult> =>
      this.#begin(input, context, answer);
    this.type = {
      type: "Step",
      summary: "Waits until the test releases it.",
      inputs: once(() =>
        z.strictObject({
          value: z.unknown().optional().describe("Becomes the output of the same name"),
          ends: ends.optional().describe("How it ends by itself"),
          spends: z
            .strictObject({ usd: z.number().optional(), tokens: z.number().optional() })
            .optional()
            .describe("What it costs, told as soon as it begins"),
        }),
      ),
      outputs: once(() => z.strictObject({ value: z.unknown(), code: z.number().int() })),
      defaultOutputs: { value: null, code: -1 },
      stateOutputs: { code: 0 },
      capabilities: [],
      undo: "not_needed",
      onInterrupted: "rerun",
      behaviour: {
        kind: "leaf",
        run: (input, context) => begin(input, context),
        resume: (input, answer, context) => begin(input, context, answer),
      },
    };
    this.computed = { ...this.type, type: "Computed", pure: true };
    this.command = { ...this.type, type: "Command", capabilities: ["commands"] };
  }

  /** Addresses of the steps that run now. */
  get running(): string[] {
    return [...this.#running.keys()];
  }

  input(path: string): ValueMap {
    return this.#at(path).input;
  }

  /** What a step can reach. */
  context(path: string): BlockContext {
    return this.#at(path).context;
  }

  /** The answer a step went on with. */
  answer(path: string): Value | undefined {
    return this.#at(path).answer;
  }

  succeed(path: string, value: Value = null): void {
    this.#at(path).settle({ kind: "succeeded", outputs: { value, code: 0 } });
  }

  fail(path: string, message = "it went wrong"): void {
    this.#at(path).settle({ kind: "failed", message, outputs: { value: null, code: 1 } });
  }

  crash(path: string, message = "it broke"): void {
    this.#at(path).crash(message);
  }

  pause(path: string): void {
    this.#at(path).settle({ kind: "paused", question: question });
  }

  #at(path: string): RunningStep {
    const step = this.#running.get(path);
    if (step === undefined) throw new Error(`${path} does not run; these do: ${this.running.join(", ")}`);
    return step;
  }

  #begin(input: ValueMap, context: BlockContext, answer: Value | undefined): Promise<BlockResult> {
    const { path, signal } = context;
    this.begun.push(path);
    if (input.spends !== undefined) context.spend(input.spends as Cost);
    return new Promise<BlockResult>((resolve, reject) => {
      const stop = (): void => this.#at(path).crash("told to stop");
      const leave = (): void => {
        this.#running.delete(path);
        signal.removeEventListener("abort", stop);
      };
      this.#running.set(path, {
        context,
        input,
        answer,
        settle(result) {
          leave();
          resolve(result);
        },
        crash(message) {
          leave();
          reject(new BlockCannotRun(message));
        },
      });
      this.mostRunning = Math.max(this.mostRunning, this.#running.size);
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      this.#endByItself(path, input, answer);
    });
  }

  #endByItself(path: string, { ends: how, value = null }: ValueMap, answer: Value | undefined): void {
    if (how === "succeed") this.succeed(path, value);
    if (how === "fail") this.fail(path);
    if (how === "crash") this.crash(path);
    if (how === "pause" && answer === undefined) this.pause(path);
    if (how === "pause" && answer !== undefined) this.succeed(path, answer);
  }
}
