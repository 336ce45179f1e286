import { expect, test } from "vitest";
import { call, createStepEngine, ending, step } from "../../test/rig/step-engine.ts";
import { ShownRun } from "./shown-run.ts";

const clock = { now: () => new Date("2030-01-01T00:00:00Z"), monotonic: () => 0 };

test("a tree is plain data: what each row is, how it stands, and how much of what is inside it has ended", async () => {
  const { engine, steps } = createStepEngine({ clock, workflows: { child: { blocks: [ending("inner", "pause")] } } });
  const run = await engine.start({ blocks: [call("sub", "child"), step("files", { for_each: ["a.ts", "b.ts"] })] });
  await run.idle();
  steps.fail("files/0", "it went wrong");
  await run.idle();
  const tree = new ShownRun(run.state).tree(Number.POSITIVE_INFINITY);
  const begun = { started_at: "2030-01-01T00:00:00.000Z", duration_ms: 0, attempts: 1, message: null };
  const running = { ...begun, status: "running", running_since: "2030-01-01T00:00:00.000Z" };
  expect(tree).toEqual({
    rows: [
      { ...running, path: "", name: "test", run_id: run.runId, depth: 0, progress: { ended: 0, total: 2 } },
      { ...begun, path: "sub", name: "sub", depth: 1, status: "paused", progress: { ended: 0, total: 1 } },
      { ...begun, path: "sub/inner", name: "inner", depth: 2, status: "paused", question: "Go on?" },
      {
        ...running,
        path: "files",
        name: "files",
        depth: 1,
        progress: { ended: 1, total: 2 },
        passes: { failure: 1, running: 1 },
      },
      {
        ...begun,
        path: "files/0",
        name: "0",
        pass: { is_numbered: true, element: "a.ts" },
        depth: 2,
        status: "failure",
        message: "it went wrong",
      },
      {
        ...running,
        path: "files/1",
        name: "1",
        pass: { is_numbered: true, element: "b.ts" },
        depth: 2,
      },
    ],
    hidden: {},
  });
  expect(JSON.parse(JSON.stringify(tree))).toEqual(tree);
});

test("where only so many lines fit, the rest is counted by status", async () => {
  const { engine } = createStepEngine({ clock });
  const run = await engine.start({ blocks: [step("a"), step("b", { depends_on: ["a"] }), step("c")] });
  await run.idle();
  const { rows, hidden } = new ShownRun(run.state).tree(3);
  expect(rows.map(({ path }) => path)).toEqual(["", "a"]);
  expect(hidden).toEqual({ pending: 1, running: 1 });
});

test("what a run asks is a record, and an answer can be tried before it is given", async () => {
  const { engine } = createStepEngine({ clock });
  const { state } = await engine.run({ blocks: [ending("asking", "pause")] });
  const shown = new ShownRun(state);
  const [question] = shown.questions();
  expect(question).toMatchObject({ block: "asking", prompt: "Go on?" });
  expect(shown.refuseAnswer(question?.checkpoint_id ?? "", "yes")).toBeUndefined();
  expect(shown.refuseAnswer("pause_1_0", "yes")).toContain("No question is waiting");
});

const nextSteps = {
  answer: () => "answer it",
  wake: (_run: string, at: string, isOverdue: boolean) => `${isOverdue ? "was to wake" : "wakes"} at ${at}`,
  takeOver: () => "take it over",
  repair: () => "",
  inspect: () => "",
  follow: () => "follow it",
  runAll: () => "",
  redo: () => "",
  takeBack: () => "",
};

test("a run that rests until a time is sleeping, and one that nobody woke says so", async () => {
  const { engine } = createStepEngine({ clock });
  const run = await engine.start({ blocks: [{ id: "rest", type: "Wait", inputs: { duration: "2h" } }] });
  await run.idle();
  const wake_at = "2030-01-01T02:00:00.000Z";
  const format = "minimal";
  expect(new ShownRun(run.state).describe({ format, nextSteps })).toMatchObject({
    status: "sleeping",
    wake_at,
    message: `wakes at ${wake_at}`,
  });
  expect(new ShownRun(run.state, { isOverdue: true }).describe({ format, nextSteps }).message).toBe(
    `was to wake at ${wake_at}`,
  );
});

test("a run that waits for an answer and a time says both", async () => {
  const { engine } = createStepEngine({ clock });
  const run = await engine.start({
    blocks: [ending("asking", "pause"), { id: "rest", type: "Wait", inputs: { duration: "2h" } }],
  });
  await run.idle();
  expect(new ShownRun(run.state).describe({ format: "minimal", nextSteps })).toMatchObject({
    status: "paused",
    wake_at: "2030-01-01T02:00:00.000Z",
    message: "answer it\nwakes at 2030-01-01T02:00:00.000Z",
  });
});
