import { createTestEngine, type TestEngine, type TestEngineOptions } from "./engine.ts";
import { Steps } from "./steps.ts";

/** An engine that knows Step beside the real types, and its steps. */
export function createStepEngine(options: TestEngineOptions = {}): {
  readonly steps: Steps;
  readonly engine: TestEngine;
} {
  const steps = new Steps();
  return {
    steps,
    engine: createTestEngine({ ...options, types: [steps.type, steps.computed, ...(options.types ?? [])] }),
  };
}

/** A block that ends when the test says so. */
export function step(id: string, more: object = {}): object {
  return { id, type: "Step", ...more };
}

/** A block that ends by itself, at once. */
export function ending(id: string, ends: "succeed" | "fail" | "crash" | "pause", more: object = {}): object {
  return { id, type: "Step", inputs: { ends }, ...more };
}

/** A block that gives a value. */
export function giving(id: string, value: unknown, more: object = {}): object {
  return { id, type: "Step", inputs: { ends: "succeed", value }, ...more };
}

/** A block that runs another workflow. */
export function call(id: string, workflow: string, inputs: object = {}, more: object = {}): object {
  return { id, type: "ExecuteWorkflow", inputs: { workflow, inputs }, ...more };
}

/** A block that holds blocks. */
export function group(id: string, blocks: readonly object[], more: object = {}): object {
  return { id, blocks, ...more };
}
