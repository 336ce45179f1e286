import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, workflow } from "../rig/frond.ts";
import { waitFor } from "../rig/wait-for.ts";

/** Writes down its attempts, and hangs in one of them. */
function hangingAt(attempt: number, onInterrupted: string): string {
  const command = `echo "$n $FROND_IDEMPOTENCY_KEY" >> attempts.txt; if [ "$n" = ${attempt} ]; then touch hangs; sleep 600; fi; exit 1`;
  const flaky = {
    id: "flaky",
    type: "Shell",
    inputs: { command, env: { n: "${metadata.attempt}" } },
    retry: { attempts: 3, delay: "1ms" },
    on_interrupted: onInterrupted,
  };
  return workflow("flaky", [flaky], { outputs: { attempts: "${blocks.flaky.metadata.attempts}" } });
}

async function killWhereItHangs(frond: Frond): Promise<void> {
  const running = frond.start(["run", "flaky.yaml"]);
  await waitFor("the attempt that hangs", () => existsSync(join(frond.directory, "hangs")));
  running.child.kill("SIGKILL");
  await running.ended;
}

function attemptsOf(frond: Frond): string[][] {
  return frond
    .read("attempts.txt")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" "));
}

test.each([
  [2, ["1", "2", "3"]],
  [3, ["1", "2", "3", "4"]],
])(
  "an interrupted attempt counts, and one after the last is made only because of it: killed in attempt %i",
  async (killedIn, expected) => {
    const frond = createFrond({ "flaky.yaml": hangingAt(killedIn, "rerun") });
    await killWhereItHangs(frond);
    const { reply } = await frond.json(["resume", "last"]);
    expect(reply).toMatchObject({ status: "failure", outputs: { attempts: expected.length } });
    expect(attemptsOf(frond).map(([number]) => number)).toEqual(expected);
    expect(new Set(attemptsOf(frond).map(([, key]) => key)).size).toBe(1);
  },
);

test("on_interrupted: fail ends a block, whatever retry says", async () => {
  const frond = createFrond({ "flaky.yaml": hangingAt(1, "fail") });
  await killWhereItHangs(frond);
  const { reply } = await frond.json(["resume", "last"]);
  expect(reply).toMatchObject({ status: "failure", outputs: { attempts: 1 } });
  expect(attemptsOf(frond)).toHaveLength(1);
});

test("an idempotency key is new in another attempt of what surrounds the block, and in another pass", async () => {
  const command = 'echo "$around $FROND_IDEMPOTENCY_KEY" >> attempts.txt; [ "$around" = 2 ]';
  const inner = { id: "inner", type: "Shell", inputs: { command, env: { around: "${inputs.n}" } } };
  const called = workflow("called", [{ ...inner, retry: { attempts: 2, delay: 0 } }], {
    inputs: { n: { type: "integer", description: "Attempt around it" } },
  });
  const call = {
    id: "call",
    type: "ExecuteWorkflow",
    inputs: { workflow: "called", inputs: { n: "${metadata.attempt}" } },
    retry: { attempts: 2, delay: 0 },
  };
  const again = { inputs: { command, env: { around: 2 } }, repeat: { max: 2 }, depends_on: ["call"] };
  const frond = createFrond({
    "library/called.yaml": called,
    "outer.yaml": workflow("outer", [call, { id: "again", type: "Shell", ...again }]),
  });
  const env = { WORKFLOWS_TEMPLATE_PATHS: join(frond.directory, "library") };
  expect((await frond.json(["run", "outer.yaml"], { env })).reply).toMatchObject({ status: "success" });
  const [first, second, third, ...passes] = attemptsOf(frond).map(([, key]) => key);
  expect(second).toBe(first);
  expect(passes).toHaveLength(2);
  expect(new Set([first, third, ...passes]).size).toBe(4);
});

test("a run that sleeps for long is held by nobody, stays whatever gc removes, and is cancelled at once", async () => {
  const frond = createFrond({
    "nap.yaml": workflow("nap", [{ id: "nap", type: "Wait", inputs: { duration: "2h" } }]),
  });
  const running = frond.start(["run", "nap.yaml"]);
  await running.until("sleeps  ");
  running.child.kill("SIGKILL");
  await running.ended;
  await frond.run(["gc", "--older-than", "0d"]);
  const sleeping = { runs: [{ status: "sleeping", wake_at: expect.stringMatching(/^\d{4}-/) }] };
  expect((await frond.json(["runs"])).reply).toMatchObject(sleeping);
  expect((await frond.run(["recover"])).stdout).toBe("No run is interrupted or overdue.\n");
  expect((await frond.json(["cancel", "last"])).reply).toMatchObject({ status: "failure", cancelled: true });
});

test("sleeping counts for no timeout", async () => {
  const nap = { id: "nap", type: "Wait", inputs: { duration: "2500ms" } };
  const frond = createFrond({ "nap.yaml": workflow("nap", [nap], { timeout: "2s" }) });
  expect((await frond.json(["run", "nap.yaml"])).reply).toMatchObject({ status: "success" });
});
