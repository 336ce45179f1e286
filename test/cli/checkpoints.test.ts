import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { loseRun, waitForGo } from "../rig/lose-run.ts";
import { TestScreen } from "../rig/screen.ts";

const ask = workflow("ask", [
  shell("before", "true"),
  { id: "go", type: "Prompt", inputs: { prompt: "Really?\nThink." }, depends_on: ["before"] },
]);
const slow = workflow("slow", [shell("a", waitForGo("a")), shell("b", "true", { depends_on: ["a"] })]);

interface Reply {
  readonly checkpoints: readonly { readonly checkpoint_id: string; readonly run_id: string }[];
  readonly total: number;
}

async function listed(frond: Frond, ...args: readonly string[]): Promise<Reply> {
  return (await frond.json(["checkpoints", ...args])).reply as Reply;
}

test("questions and interrupted runs are listed, and any of them can be gone on with", async () => {
  const frond = createFrond({ "ask.yaml": ask, "slow.yaml": slow });
  expect((await frond.run(["checkpoints"])).stderr).toBe("No checkpoints. How runs stand: frond runs\n");
  await frond.run(["run", "ask.yaml"]);
  await loseRun(frond, "slow.yaml", 1);
  const { stdout } = await frond.run(["checkpoints"]);
  const [first, second, ...rest] = stdout.split("\n");
  expect(first).toMatch(/^chk_\w{16}_0\trun_\w{16}\tslow\t20.*Z\tinterrupted: the process that drove it is gone$/);
  expect(second).toMatch(/^pause_\w{16}_\w{10}\trun_\w{16}\task\t20.*Z\tgo asks: Really\? Think\.$/);
  expect(rest).toEqual([""]);

  const { checkpoints } = await listed(frond);
  frond.write("go", "");
  const [automatic, pause] = checkpoints.map(({ checkpoint_id: id }) => id);
  const rerun = ["--on-interrupted", "rerun"];
  expect(await frond.json(["resume", automatic as string, ...rerun])).toMatchObject({ reply: { status: "success" } });
  expect(await frond.json(["resume", pause as string, "--response", "x"])).toMatchObject({
    reply: { status: "success" },
  });
  expect((await listed(frond)).total).toBe(0);
});

test("one of them is shown with how its run stands", async () => {
  const frond = createFrond({ "ask.yaml": ask });
  await frond.run(["run", "ask.yaml"]);
  const [one] = (await listed(frond)).checkpoints;
  const id = one?.checkpoint_id ?? "";
  const { stdout } = await frond.run(["checkpoints", id]);
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(new RegExp(`^${id} of ask ${one?.run_id}, since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$`)),
    "go asks: Really?",
    "Think.",
    "50% done (1 of 2 waves): before",
    `Go on: frond resume ${id}`,
    "",
  ]);
  expect(await frond.json(["checkpoints", id])).toMatchObject({ code: 0, reply: { found: true, current_wave: 1 } });
});

test("deleting the last question of a run cancels it, and says so", async () => {
  const frond = createFrond({ "ask.yaml": ask });
  await frond.run(["run", "ask.yaml"]);
  const [one] = (await listed(frond)).checkpoints;
  const id = one?.checkpoint_id ?? "";
  const { code, stdout } = await frond.run(["checkpoints", "--delete", id]);
  expect([code, stdout]).toEqual([
    0,
    `Deleted ${id}. It was the last question of ${one?.run_id}, which is cancelled.\n`,
  ]);
  expect(await listed(frond)).toEqual({ checkpoints: [], total: 0 });
  const again = await frond.run(["checkpoints", "--delete", id]);
  expect([again.code, again.stdout]).toEqual([0, `${id} is not there any more. It was deleted before.\n`]);
  expect(await frond.json(["runs"])).toMatchObject({ reply: { runs: [{ status: "cancelled" }] } });
});

test.each([
  ["checkpoints", "pause_1_2"],
  ["checkpoints", "--delete", "chk_1_2"],
  ["checkpoints", "--delete", "what"],
])("`frond %s %s %s` is refused", async (...args) => {
  const refused = await createFrond().json(args.filter((word) => word !== undefined));
  expect(refused).toMatchObject({ code: 2, reply: { errors: [{ code: "unknown-checkpoint" }] } });
});

test.each([50, 120])("on a screen of %i columns no line is wider", async (columns) => {
  const frond = createFrond({ "ask.yaml": ask });
  await frond.run(["run", "ask.yaml"]);
  const { stdout } = await frond.startInTerminal(["checkpoints"], { columns, env: { NO_COLOR: "1" } }).ended;
  const [table = ""] = stdout.split("\r\n\r\n");
  const screen = new TestScreen(columns, 24);
  screen.write(table);
  expect(screen.text().join(" ")).toMatch(/^pause_\w+ {2}ask +\d+s ago +go asks: Re/);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("1 checkpoint. Go on from one: frond resume CHECKPOINT");
});

test("those of runs in other directories are listed with --all", async () => {
  const frond = createFrond({ "ask.yaml": ask });
  await frond.run(["run", "ask.yaml", "--workspace", frond.home]);
  expect((await frond.run(["checkpoints"])).stderr.split("\n")[1]).toBe(
    "And 1 open run in other directories: frond checkpoints --all",
  );
  expect((await listed(frond)).total).toBe(0);
  expect((await listed(frond, "--all")).total).toBe(1);
});

test("pages and workflows cut the list, and the total tells of what is not shown", async () => {
  const frond = createFrond({ "ask.yaml": ask, "other.yaml": ask.replace('"ask"', '"other"') });
  for (const file of ["ask.yaml", "other.yaml", "ask.yaml"]) await frond.run(["run", file]);
  const all = await listed(frond);
  const first = await listed(frond, "--limit", "2");
  const next = all.checkpoints[1]?.checkpoint_id ?? "";
  expect(first).toEqual({ checkpoints: all.checkpoints.slice(0, 2), total: 3, next });
  expect(await listed(frond, "--after", next)).toEqual({ checkpoints: all.checkpoints.slice(2), total: 3 });
  const { stdout } = await frond.startInTerminal(["checkpoints", "--limit", "2"], { columns: 120 }).ended;
  expect(stdout).toContain(`3 in all; more: add --after ${next}\r\n`);
  expect(await listed(frond, "--workflow", "other")).toMatchObject({ checkpoints: [all.checkpoints[1]], total: 1 });
});
