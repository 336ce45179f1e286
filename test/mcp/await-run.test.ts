import { expect, test } from "vitest";
import { awaitRun } from "../../src/mcp/await-run.ts";
import { describeNow } from "../../src/mcp/describe-now.ts";
import type { ServerContext } from "../../src/mcp/server-context.ts";
import { createStepEngine, step } from "../rig/step-engine.ts";

const signal = new AbortController().signal;

test("a client waits no longer than it says, and one that takes tasks no longer than two seconds", async () => {
  const { engine } = createStepEngine();
  const { platform, workflows } = engine.engine;
  const { runId } = await engine.start({ blocks: [step("a")] });
  let waited = 0;
  const host = {
    find: () => undefined,
    hasStopped: () => false,
    wait: async (_runId: string, longestMs: number) => {
      waited = longestMs;
    },
  };
  const context = { host, platform, catalog: workflows.catalog } as unknown as ServerContext;
  const wait = async (waitSeconds: number, tasks: { readonly taskAfterMs?: number }): Promise<unknown> => {
    const { kind } = await awaitRun(
      runId,
      { waitSeconds, format: "minimal" },
      { signal, elicits: false, ...tasks },
      context,
    );
    return [kind, waited];
  };
  expect(await wait(45, {})).toEqual(["result", 45_000]);
  expect(await wait(45, { taskAfterMs: 2_000 })).toEqual(["task", 2_000]);
  expect(await wait(0, { taskAfterMs: 2_000 })).toEqual(["task", 0]);
});

test("a run that could not be given back is interrupted where it still runs, and what it is where it has ended", async () => {
  const { engine, steps } = createStepEngine();
  const { platform, workflows } = engine.engine;
  const run = await engine.start({ blocks: [step("a")] });
  await run.idle();
  const host = { find: () => undefined, hasStopped: () => true };
  const context = { host, platform, catalog: workflows.catalog } as unknown as ServerContext;
  const status = async (): Promise<unknown> => {
    const described = await describeNow(run.runId, "minimal", context);
    return described.ok ? described.value.status : described.error;
  };
  expect(await status()).toBe("interrupted");
  steps.succeed("a");
  await run.settled;
  expect(await status()).toBe("success");
});
