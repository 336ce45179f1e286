import { beforeEach, describe, expect, test } from "vitest";
import type { AttemptEnded, RunEvent } from "../../src/engine/events.ts";
import type { Outcome, TestRun } from "../rig/engine.ts";
import { createFakeClock, type FakeClock } from "../rig/fake-clock.ts";
import { call, createStepEngine, ending, giving, step } from "../rig/step-engine.ts";

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock();
});

function delays(events: readonly RunEvent[]): number[] {
  return events
    .filter((event): event is AttemptEnded => event.type === "attempt-ended")
    .map(({ at, retryAt }) => Date.parse(retryAt) - Date.parse(at));
}

/** Lets every sleep pass until the run has ended. */
async function sleepThrough(run: TestRun, most = 50): Promise<Outcome> {
  for (let count = 0; count < most && run.state.finished === undefined; count++) {
    await run.idle();
    clock.advance(59_000);
    await run.idle();
  }
  return run.settled;
}

const noDelay = { attempts: 3, delay: 0 };

test("a block that fails is tried again until it succeeds, and its record tells every attempt", async () => {
  const { engine, steps } = createStepEngine({ clock });
  const run = await engine.start({
    blocks: [step("flaky", { inputs: { value: "try ${metadata.attempt}" }, retry: { attempts: 3, delay: "2s" } })],
    outputs: {
      tries: "${blocks.flaky.metadata.attempts}",
      first: "${blocks.flaky.metadata.attempt_history[0].message}",
    },
  });
  await run.idle();
  expect(steps.input("flaky")).toMatchObject({ value: "try 1" });
  steps.fail("flaky", "no luck");
  await run.idle();
  expect(steps.running).toEqual([]);
  const { metadata } = run.state.nodes.get("flaky")?.record ?? {};
  expect(metadata).toMatchObject({ status: "running", wake_at: "2030-03-17T17:46:42.000Z", attempts: 1 });
  clock.advance(1_999);
  await run.idle();
  expect(steps.running).toEqual([]);
  clock.advance(1);
  await run.idle();
  expect(steps.input("flaky")).toMatchObject({ value: "try 2" });
  steps.succeed("flaky");
  const { response } = await run.settled;
  expect(response).toMatchObject({ status: "success", outputs: { tries: 2, first: "no luck" } });
  expect(metadata).not.toHaveProperty("wake_at");
  expect(metadata?.attempt_history).toMatchObject([
    { status: "completed", outcome: "failure", message: "no luck" },
    { status: "completed", outcome: "success", message: null },
  ]);
});

test("a block that fails every attempt fails with its last message, and has had no attempt more than it may", async () => {
  const { engine, steps } = createStepEngine({ clock });
  const { response, events } = await engine.run({ blocks: [ending("bad", "fail", { retry: noDelay })] });
  expect(response).toMatchObject({ status: "failure", failed_blocks: [{ block: "bad" }] });
  expect(steps.begun).toEqual(["bad", "bad", "bad"]);
  const attempts = events.flatMap((event) => (event.type === "block-started" ? [event.attempt] : []));
  expect(attempts).toEqual([1, 2, 3]);
});

describe("the delay", () => {
  test.each([
    { rule: "grows exponentially", retry: { delay: "1s" }, expected: [1000, 2000, 4000, 8000] },
    {
      rule: "is no longer than max_delay",
      retry: { delay: "1s", max_delay: "3s" },
      expected: [1000, 2000, 3000, 3000],
    },
    {
      rule: "stays the same where backoff is fixed",
      retry: { delay: "5s", backoff: "fixed" },
      expected: [5000, 5000, 5000, 5000],
    },
    { rule: "is a second unless it is given", retry: { backoff: "fixed" }, expected: [1000, 1000, 1000, 1000] },
  ])("$rule", async ({ retry, expected }) => {
    const { engine } = createStepEngine({ clock });
    const run = await engine.start({ blocks: [ending("bad", "fail", { retry: { attempts: 5, ...retry } })] });
    const { events } = await sleepThrough(run);
    expect(delays(events)).toEqual(expected);
  });

  test("varies by its jitter, not the same for two blocks, and never by more", async () => {
    const { engine } = createStepEngine({ clock });
    const retry = { attempts: 4, delay: "10s", backoff: "fixed", jitter: 0.2 };
    const run = await engine.start({ blocks: [ending("a", "fail", { retry }), ending("b", "fail", { retry })] });
    const { events } = await sleepThrough(run);
    const all = delays(events);
    expect(all).toHaveLength(6);
    for (const delay of all) expect(Math.abs(delay - 10_000)).toBeLessThanOrEqual(2000);
    expect(new Set(all).size).toBeGreaterThan(3);
  });

  test("can come from an input", async () => {
    const { engine } = createStepEngine({ clock });
    const inputs = { wait: { type: "string", description: "How long", default: "7s" } };
    const blocks = [ending("bad", "fail", { retry: { attempts: 2, delay: "${inputs.wait}" } })];
    const run = await engine.start({ inputs, blocks });
    expect(delays((await sleepThrough(run)).events)).toEqual([7000]);
  });

  test("that makes no sense fails the block with what is wrong", async () => {
    const { engine } = createStepEngine({ clock });
    const inputs = { wait: { type: "string", description: "How long", default: "soon" } };
    const blocks = [ending("bad", "fail", { retry: { attempts: 2, delay: "${inputs.wait}" } })];
    const { response } = await engine.run({ inputs, blocks });
    expect(response.failed_blocks?.[0]?.message).toMatch(/^retry\.delay: a delay is .*, not the text 'soon'\.$/);
  });
});

describe("retry.on", () => {
  test.each([
    { on: undefined, ends: "fail", tries: 2 },
    { on: undefined, ends: "crash", tries: 1 },
    { on: ["failure"], ends: "fail", tries: 2 },
    { on: ["failure"], ends: "crash", tries: 1 },
    { on: ["crash"], ends: "crash", tries: 2 },
    { on: ["crash"], ends: "fail", tries: 1 },
    { on: ["timeout"], ends: "fail", tries: 1 },
    { on: "went wrong", ends: "fail", tries: 2 },
    { on: ["something else", "it went"], ends: "fail", tries: 2 },
    { on: ["something else"], ends: "fail", tries: 1 },
  ] as const)("$on tries a block that ends by '$ends' $tries times", async ({ on, ends, tries }) => {
    const { engine, steps } = createStepEngine({ clock });
    const retry = { attempts: 2, delay: 0, ...(on === undefined ? {} : { on }) };
    await engine.run({ blocks: [ending("x", ends, { retry })] });
    expect(steps.begun).toHaveLength(tries);
  });

  test("timeout means a block's own limit, and one inside it", async () => {
    const { engine, steps } = createStepEngine({
      clock,
      workflows: { child: { blocks: [step("x", { timeout: "5s" })] } },
    });
    const retry = { attempts: 2, delay: 0, on: ["timeout"] };
    const run = await engine.start({
      blocks: [step("own", { timeout: "5s", retry }), call("nested", "child", {}, { retry })],
    });
    await sleepThrough(run);
    expect([...steps.begun].sort()).toEqual(["nested/x", "nested/x", "own", "own"]);
  });

  test("exit:N looks at the exit code", async () => {
    const { engine } = createStepEngine();
    const counted = (code: number): object => ({
      id: `exits_${code}`,
      type: "Shell",
      inputs: { command: `echo x >> tries_${code}; exit ${code}` },
      retry: { attempts: 3, delay: 0, on: ["exit:75"] },
    });
    const show = {
      id: "show",
      type: "Shell",
      inputs: { command: "wc -l < tries_75; wc -l < tries_3" },
      depends_on: [] as object[],
    };
    show.depends_on = ["exits_75", "exits_3"].map((block) => ({ block, required: false }));
    const { state } = await engine.run({ blocks: [counted(75), counted(3), show] });
    expect(String(state.nodes.get("show")?.record.outputs.stdout).split("\n").map(Number).slice(0, 2)).toEqual([3, 1]);
  });
});

describe("what holds blocks", () => {
  const workflows = { child: { blocks: [step("x"), step("y", { depends_on: ["x"] })] } };

  test("is tried again as a whole: its second attempt starts afresh", async () => {
    const { engine, steps } = createStepEngine({ clock, workflows });
    const run = await engine.start({ blocks: [call("nested", "child", {}, { retry: { attempts: 2, delay: 0 } })] });
    await run.idle();
    const firstKey = steps.context("nested/x").idempotencyKey;
    steps.succeed("nested/x");
    await run.idle();
    steps.fail("nested/y");
    await run.idle();
    expect(steps.running).toEqual(["nested/x"]);
    expect(run.state.nodes.get("nested/y")?.record.metadata).toMatchObject({ status: "pending", attempts: 0 });
    expect(run.state.nodes.get("nested/x")?.record.metadata).toMatchObject({ status: "running", attempts: 1 });
    expect(steps.context("nested/x").idempotencyKey).not.toBe(firstKey);
    steps.succeed("nested/x");
    await run.idle();
    steps.succeed("nested/y");
    const { response, state } = await run.settled;
    expect(response.status).toBe("success");
    expect(state.nodes.get("nested")?.record.metadata).toMatchObject({ attempts: 2 });
  });

  test("is tried again when it ran out of time, and has its whole time again", async () => {
    const { engine, steps } = createStepEngine({ clock, workflows });
    const retry = { attempts: 2, delay: "10s" };
    const run = await engine.start({ blocks: [call("nested", "child", {}, { timeout: "30s", retry })] });
    await run.idle();
    clock.advance(30_000);
    await run.idle();
    expect(steps.running).toEqual([]);
    clock.advance(10_000);
    await run.idle();
    clock.advance(29_000);
    await run.idle();
    steps.succeed("nested/x");
    await run.idle();
    steps.succeed("nested/y");
    const { state } = await run.settled;
    const history = state.nodes.get("nested")?.record.metadata.attempt_history;
    expect(history).toMatchObject([{ message: "ran longer than its limit of 30s" }, { outcome: "success" }]);
  });

  test("asks its questions again in a new attempt, under new ids", async () => {
    const { engine, steps } = createStepEngine({ clock, workflows });
    const run = await engine.start({ blocks: [call("nested", "child", {}, { retry: { attempts: 2, delay: 0 } })] });
    await run.idle();
    steps.pause("nested/x");
    const [first] = (await run.settled).response.pending ?? [];
    expect(await run.answer("nested/x", "yes")).toMatchObject({ ok: true });
    await run.idle();
    steps.fail("nested/x");
    await run.idle();
    steps.pause("nested/x");
    await run.idle();
    const [second] = [...run.state.questions.keys()];
    expect(second).toBeDefined();
    expect(second).not.toBe(first?.checkpoint_id);
  });

  test("may hold fewer elements in its second attempt", async () => {
    const { engine, steps } = createStepEngine({
      clock,
      workflows: {
        loop: {
          inputs: { n: { type: "integer", description: "A number" } },
          blocks: [
            giving("list", "${range(3 - inputs.n)}"),
            ending("each", "fail", { for_each: "${blocks.list.value}" }),
          ],
        },
      },
    });
    const blocks = [call("nested", "loop", { n: "${metadata.attempt}" }, { retry: { attempts: 2, delay: 0 } })];
    const { state } = await engine.run({ blocks });
    expect(steps.begun.filter((path) => path.startsWith("nested/each/"))).toEqual([
      "nested/each/0",
      "nested/each/1",
      "nested/each/0",
    ]);
    expect([...state.nodes.keys()].filter((path) => path.startsWith("nested/each/"))).toEqual(["nested/each/0"]);
  });

  test("of loops each element is tried for itself, and a sleeping one gives its slot to the next", async () => {
    const { engine, steps } = createStepEngine({ clock });
    const run = await engine.start({
      blocks: [step("each", { for_each: ["a", "b"], max_parallel: 1, retry: { attempts: 2, delay: "10s" } })],
    });
    await run.idle();
    expect(steps.running).toEqual(["each/0"]);
    steps.fail("each/0");
    await run.idle();
    expect(steps.running).toEqual(["each/1"]);
    clock.advance(10_000);
    await run.idle();
    expect(steps.running).toEqual(["each/1"]);
    steps.succeed("each/1");
    await run.idle();
    expect(steps.running).toEqual(["each/0"]);
    steps.succeed("each/0");
    expect((await run.settled).response.status).toBe("success");
  });
});
