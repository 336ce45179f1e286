import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPlan, type PlanRequest } from "../../src/plans/open-plan.ts";
import { atOnce } from "../../src/util/time-slice.ts";
import { createTestEngine, type Outcome, type TestEngine } from "../rig/engine.ts";
import { readTree } from "../rig/file-tree.ts";
import { createFrond } from "../rig/frond.ts";
import { waitForGo } from "../rig/lose-run.ts";
import { waitFor } from "../rig/wait-for.ts";

/** The faults of the system that plans come from, each shown not to be here. */

function compile(engine: TestEngine, plan: unknown, more: Partial<PlanRequest> = {}): string {
  const opened = atOnce(openPlan({ plan, ...more }, engine.engine.workflows));
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("\n"));
  return opened.value.text;
}

function run(engine: TestEngine, plan: unknown, more: Partial<PlanRequest> = {}): Promise<Outcome> {
  return engine.run(compile(engine, plan, more));
}

const command = (step_id: string, text: string, more: object = {}): object => ({
  step_id,
  action_type: "run_command",
  command: text,
  max_retries: 0,
  ...more,
});

test("a result belongs to the step that made it, whichever ends first", async () => {
  const engine = createTestEngine();
  const names = ["a", "b", "c", "d"];
  // Each waits for the one behind it, so they end in the reverse of the order in which they stand.
  const steps = names.map((name, index) => {
    const next = names[index + 1];
    const wait = next === undefined ? "" : `until [ -e ${next} ]; do sleep 0.02; done; `;
    return command(name, `${wait}echo said by ${name}; touch ${name}`, { depends_on: [] });
  });
  const { state } = await run(engine, steps);
  for (const name of names) {
    expect(state.nodes.get(name)?.record.outputs).toMatchObject({ exit_code: 0, stdout: `said by ${name}\n` });
  }
});

test("the steps of a plan keep their order and their ids", async () => {
  const engine = createTestEngine();
  const ids = ["z-last", "Alpha", "7", "mid dle"];
  const { events } = await run(
    engine,
    ids.map((id) => command(id, `echo ${JSON.stringify(id)} >> order`)),
  );
  const started = events.flatMap((event) => (event.type === "block-started" ? [event.path] : []));
  expect(started).toEqual(["z_last", "alpha", "step_7", "mid_dle"]);
  expect(readFileSync(join(engine.workspace, "order"), "utf8")).toBe(`${ids.join("\n")}\n`);
});

test("a step is tried again as often as it says, and no more", async () => {
  const engine = createTestEngine();
  const counting = "echo x >> tries; [ $(wc -l < tries) -ge 2 ]";
  const { state, response } = await run(engine, [command("flaky", counting, { max_retries: 1 })]);
  expect([response.status, state.nodes.get("flaky")?.record.metadata.attempts]).toEqual(["success", 2]);
  const never = await run(createTestEngine(), [
    command("never", "exit 3", { max_retries: 1, rollback_on_fail: false }),
  ]);
  expect([never.response.status, never.state.nodes.get("never")?.record.metadata.attempts]).toEqual(["failure", 2]);
});

test("a step that takes longer than it may is ended, and what it changed is taken back", async () => {
  const engine = createTestEngine();
  const { response } = await run(engine, [command("slow", "echo > made; sleep 60", { timeout_seconds: 0.5 })]);
  expect(response).toMatchObject({
    status: "failure",
    steps: { total: 1, completed: 0, failed: 1, skipped: 0, rolled_back: 1 },
    rollback: { state: "complete" },
  });
  expect(existsSync(join(engine.workspace, "made"))).toBe(false);
});

test("nothing of a plan with a cycle, a missing dependency or an unknown action is run", () => {
  const engine = createTestEngine();
  const first = command("first", "touch made", { depends_on: [] });
  const wrong = [
    [first, command("a", "true", { depends_on: ["b"] }), command("b", "true", { depends_on: ["a"] })],
    [first, command("a", "true", { depends_on: ["none"] })],
    [first, { step_id: "a", action_type: "browse_the_web", command: "true" }],
  ];
  const codes = wrong.map((plan) => {
    const opened = atOnce(openPlan({ plan }, engine.engine.workflows));
    return opened.ok ? [] : opened.error.map(({ code }) => code);
  });
  expect(codes).toEqual([["plan-cycle"], ["unknown-dependency"], ["unknown-action"]]);
  expect(existsSync(join(engine.workspace, "made"))).toBe(false);
});

const before = { "a.txt": "one\n", "gone.txt": "still here\n" };

function changing(last: string): readonly object[] {
  return [
    { step_id: 1, action_type: "create_file", path: "src/deep/new.txt", content: "new\n" },
    { step_id: 2, action_type: "modify_file", path: "a.txt", old_text: "one", new_text: "two" },
    { step_id: 3, action_type: "delete_file", path: "gone.txt" },
    command("4", `echo made > made.txt; echo more >> a.txt; ${last}`),
  ];
}

test("a plan that fails in its last step leaves the tree as it was", async () => {
  const engine = createTestEngine();
  for (const [path, text] of Object.entries(before)) writeFileSync(join(engine.workspace, path), text);
  const tree = readTree(engine.workspace);
  const { response } = await run(engine, changing("exit 1"));
  expect(response).toMatchObject({
    status: "failure",
    steps: { total: 4, completed: 3, failed: 1, skipped: 0, rolled_back: 4 },
    rollback: { state: "complete" },
  });
  expect(readTree(engine.workspace)).toEqual(tree);
});

test("with rollback_on_fail false in all steps what was done stays, and what follows is skipped", async () => {
  const engine = createTestEngine();
  const steps = ["touch one", "exit 1", "touch three"].map((text, index) =>
    command(String(index), text, { rollback_on_fail: false }),
  );
  const { response } = await run(engine, steps);
  expect(response.steps).toEqual({ total: 3, completed: 1, failed: 1, skipped: 1, rolled_back: 0 });
  expect([existsSync(join(engine.workspace, "one")), existsSync(join(engine.workspace, "three"))]).toEqual([
    true,
    false,
  ]);
});

test("the text of a plan is never an expression, and its commands are the shell's", async () => {
  const engine = createTestEngine();
  const text = "${inputs.x} ${secrets.KEY} {{7*7}} $${y}\n";
  await run(engine, [
    { action_type: "create_file", path: "a", content: text },
    command("array", 'inputs=(one two); echo "${inputs[1]} ${HOME:+home}" > b'),
    command("quoted", "echo '${blocks.a.stdout}' > c"),
  ]);
  const read = (path: string): string => readFileSync(join(engine.workspace, path), "utf8");
  expect([read("a"), read("b"), read("c")]).toEqual([text, "two home\n", "${blocks.a.stdout}\n"]);
});

test("a plan whose process is killed goes on where it was, and undo takes all of it back", async () => {
  const plan = [
    { step_id: "make", action_type: "create_file", path: "made.txt", content: "made\n" },
    command("wait", waitForGo("wait")),
    { step_id: "edit", action_type: "modify_file", path: "a.txt", old_text: "one", new_text: "two" },
  ];
  const frond = createFrond({ "plan.json": JSON.stringify(plan), ...before });
  const run = frond.start(["plan", "run", "plan.json"]);
  await waitFor("the second step to run", () => run.shown().includes("wait begins"));
  const runId = /run_[0-9a-z]{16}/.exec(run.shown())?.[0] ?? "";
  run.child.kill("SIGKILL");
  await run.ended;
  expect(frond.read("made.txt")).toBe("made\n");
  frond.write("go", "");
  const resumed = await frond.run(["resume", runId, "--on-interrupted", "rerun"]);
  expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining("steps 3 of 3 completed")]);
  expect(resumed.stdout).not.toMatch(/start +make/);
  expect(frond.read("a.txt")).toBe("two\n");
  expect((await frond.run(["undo", runId, "--yes"])).code).toBe(0);
  expect([frond.read("a.txt"), existsSync(join(frond.directory, "made.txt"))]).toEqual(["one\n", false]);
});
