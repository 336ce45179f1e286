import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Metadata } from "../../src/engine/execution.ts";
import type { Outcome } from "../rig/engine.ts";
import { call, createStepEngine, ending, step } from "../rig/step-engine.ts";

// Only the two that measure: what the engine waits for otherwise must go on as it is.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function metadataOf({ state }: Outcome, path: string): Metadata {
  const node = state.nodes.get(path);
  if (node === undefined) throw new Error(`There is nothing at ${path}.`);
  return node.record.metadata;
}

describe("finally at any depth", () => {
  const child = { blocks: [step("x")], finally: [step("tidy")], outputs: { made: "${blocks.x.value}" } };

  test("a child's finally runs before its parent goes on", async () => {
    const { engine, steps } = createStepEngine({ workflows: { child } });
    const run = await engine.start({
      blocks: [call("nested", "child"), step("next", { depends_on: ["nested"] })],
      finally: [step("clean")],
    });
    await run.idle();
    steps.succeed("nested/x", 5);
    await run.idle();
    expect(steps.running).toEqual(["nested/tidy"]);
    steps.succeed("nested/tidy");
    await run.idle();
    expect(steps.running).toEqual(["next"]);
    steps.succeed("next");
    await run.idle();
    steps.succeed("clean");
    const outcome = await run.settled;
    expect(outcome.response.status).toBe("success");
    expect(outcome.state.root.record.blocks.nested?.outputs.made).toBe(5);
  });

  test("a child whose block ran out of time runs its finally", async () => {
    const { engine, steps } = createStepEngine({ workflows: { child } });
    const run = await engine.start({ blocks: [call("nested", "child", {}, { timeout: 3 })] });
    await run.idle();
    await vi.advanceTimersByTimeAsync(3_000);
    await run.idle();
    expect(steps.running).toEqual(["nested/tidy"]);
    steps.succeed("nested/tidy");
    const outcome = await run.settled;
    expect(metadataOf(outcome, "nested").message).toBe("ran longer than its limit of 3s");
    expect(metadataOf(outcome, "nested/tidy").succeeded).toBe(true);
  });

  test("each attempt and each element has its own finally", async () => {
    const { engine, steps } = createStepEngine({
      workflows: { child: { blocks: [ending("x", "fail")], finally: [ending("tidy", "succeed")] } },
    });
    const clock = { retry: { attempts: 2, delay: 0 } };
    const { response } = await engine.run({
      blocks: [
        call("again", "child", {}, clock),
        call("each", "child", {}, { for_each: [1, 2], for_each_mode: "sequential" }),
      ],
    });
    expect(response.status).toBe("failure");
    expect(steps.begun.filter((path) => path.endsWith("tidy")).sort()).toEqual([
      "again/tidy",
      "again/tidy",
      "each/0/tidy",
      "each/1/tidy",
    ]);
  });

  test("a workflow that finally calls runs as others do, with its own finally", async () => {
    const { engine, steps } = createStepEngine({ workflows: { child } });
    const run = await engine.start({ blocks: [step("a")], finally: [call("clean", "child")] });
    await run.idle();
    await run.cancel();
    await run.idle();
    expect(steps.running).toEqual(["clean/x"]);
    steps.fail("clean/x");
    await run.idle();
    expect(steps.running).toEqual(["clean/tidy"]);
    steps.succeed("clean/tidy");
    expect((await run.settled).response.cancelled).toBe(true);
  });
});
