import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { waitFor } from "../rig/wait-for.ts";
import type { DriverProcess } from "./driver-process.ts";
import type { CaseWorkflows } from "./protocol.ts";
import { Rig } from "./rig.ts";

// Many processes, one after the other, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

let rig: Rig;

beforeAll(async () => {
  rig = await Rig.open();
});

afterAll(async () => {
  expect(await rig.close(), "processes left behind").toEqual([]);
});

test("of two processes that want the run of a dead one at the same moment, exactly one gets it", async () => {
  const blocks = Array.from({ length: 12 }, (_, index) => ({ id: `b${index}`, type: "Effect" }));
  const workflows = { root: { max_parallel: 1, blocks }, library: {} };
  const { violations } = await rig.follow({ seed: 1, family: "repeat", paceMs: 0, workflows }, async (it) => {
    await it.perform({ kind: "alone", answers: "none", kill: { kind: "write", at: "after-commit block-started" } });
    for (let race = 0; race < 8; race++) {
      const rivals = await it.perform({ kind: "race", kill: { kind: "write", at: "after-commit block-interrupted" } });
      expect(rivals.map((rival) => hasSaid(rival, "at-claim"))).toEqual([true, true]);
      expect(rivals.filter((rival) => hasSaid(rival, "held"))).toHaveLength(1);
      expect(rivals.filter((rival) => hasSaid(rival, "refused"))).toHaveLength(1);
    }
    await it.finish();
  });
  expect(violations).toEqual([]);
});

function hasSaid({ said }: DriverProcess, what: DriverProcess["said"][number]["say"]): boolean {
  return said.some(({ say }) => say === what);
}

test("a process that was taken for dead and goes on is refused, and what it was told stays true", async () => {
  const workflows = { root: { blocks: [{ id: "a", type: "Effect" }] }, library: {} };
  const { violations } = await rig.follow({ seed: 1, family: "repeat", paceMs: 400, workflows }, async (it) => {
    const [stale] = await it.live(async (launch) => {
      const stale = launch({});
      stale.play({ kind: "drive" });
      // From then on it has nothing to write until its block ends, so it is not stopped while it keeps others from writing.
      await waitFor("its block has begun", () => stale.said.filter(({ say }) => say === "acknowledged").length === 1);
      stale.signal("SIGSTOP");
      const newcomer = launch({ believesDead: true });
      newcomer.play({ kind: "drive" });
      await newcomer.ended;
      stale.signal("SIGCONT");
      return [stale, newcomer];
    }, false);
    expect(stale?.said.slice(-2).map(({ say }) => say)).toEqual(["lost", "over"]);
    expect(it.hasEnded).toBe(true);
    await it.finish();
  });
  expect(violations).toEqual([]);
});

/** A question in the root's grandchild beside another one, while a third block keeps the run going. */
const threeLevels: CaseWorkflows = {
  root: {
    blocks: [
      { id: "top", type: "ExecuteWorkflow", inputs: { workflow: "middle" } },
      { id: "busy", type: "Effect", for_each: [1, 2, 3, 4, 5, 6], for_each_mode: "sequential" },
    ],
    outputs: { said: "${blocks.top.outputs}" },
  },
  library: {
    middle: {
      blocks: [{ id: "low", type: "ExecuteWorkflow", inputs: { workflow: "bottom" } }],
      outputs: { said: "${blocks.low.outputs}" },
    },
    bottom: {
      blocks: [
        { id: "effect", type: "Effect", inputs: { asks: 1 } },
        { id: "prompt", type: "Prompt", inputs: { prompt: "question 2" } },
        { id: "both", type: "Effect", inputs: { take: ["${blocks.effect.value}", "${blocks.prompt.response}"] } },
      ],
      outputs: { both: "${blocks.both.value}", prompt: "${blocks.prompt.response}" },
    },
  },
};

test.for([
  { order: "in the order of asking", inOrder: (ids: readonly string[]) => ids },
  { order: "the other way round", inOrder: (ids: readonly string[]) => [...ids].reverse() },
])("two questions of a killed process, three levels deep, are answered by a new one, $order", async ({ inOrder }) => {
  const options = { seed: 1, family: "repeat", paceMs: 60, workflows: threeLevels } as const;
  const { violations, kills } = await rig.follow(options, async (it) => {
    let runId = "";
    let asked: string[] = [];
    await it.live(async (launch) => {
      const driver = launch({ answers: "none" });
      driver.play({ kind: "drive" });
      await waitFor("both questions are asked", () => {
        asked = driver.said.flatMap((said) => (said.say === "asked" ? [said.questionId] : []));
        return asked.length === 2;
      });
      runId = (await driver.until("held"))?.runId ?? "";
      driver.signal("SIGKILL");
      return [driver];
    }, true);
    const [answerer] = await it.live(async (launch) => {
      const answerer = launch({});
      answerer.play({ kind: "answer", runId, questionIds: inOrder(asked) });
      return [answerer];
    }, true);
    expect(answerer?.said.filter(({ say }) => say === "answered")).toHaveLength(2);
    expect(it.hasEnded).toBe(true);
    await it.finish();
  });
  expect(kills).toHaveLength(1);
  expect(violations).toEqual([]);
});
