import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { blockPaused, creation, runFinished } from "../journal/sample-events.ts";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { loseRun, waitForGo } from "../rig/lose-run.ts";
import { TestScreen } from "../rig/screen.ts";
import { openJournal } from "../rig/stored-journal.ts";

const files = {
  "good.yaml": workflow("good", [shell("a", "true")]),
  "bad.yaml": workflow("bad", [shell("a", "echo 'no \u001b[31mway' >&2; exit 3")]),
  "ask.yaml": workflow("ask", [{ id: "go", type: "Prompt", inputs: { prompt: "Really?\nThink." } }]),
  "slow.yaml": workflow("slow", [shell("a", waitForGo("a")), shell("b", "touch b", { depends_on: ["a"] })]),
};

interface Reply {
  readonly runs: readonly { readonly run_id: string; readonly status: string; readonly [key: string]: unknown }[];
  readonly next?: string;
}

async function runsOf(frond: Frond, ...args: readonly string[]): Promise<Reply> {
  return (await frond.json(["runs", ...args])).reply as Reply;
}

test("before the first run it is said how to start one, and nothing is printed that a program would take for a run", async () => {
  const frond = createFrond(files);
  expect(await frond.run(["runs"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "No runs yet. Start one: frond run NAME (see `frond list`)\n",
  });
  await frond.run(["run", "good.yaml", "--workspace", frond.home]);
  expect((await frond.run(["runs"])).stderr.split("\n")).toEqual([
    "No runs in this directory yet. Start one: frond run NAME (see `frond list`)",
    "And 1 run in other directories: frond runs --all",
    "",
  ]);
});

/** What stands on a screen of that size when the command has ended. */
async function screenOf(frond: Frond, args: readonly string[], columns: number, rows = 24): Promise<readonly string[]> {
  const options = { env: { NO_COLOR: "1" }, columns, rows };
  const { stdout } = await frond.startInTerminal(args, options).ended;
  const screen = new TestScreen(columns, rows);
  screen.write(stdout);
  return screen.text();
}

function expectLines(lines: readonly string[], patterns: readonly string[]): void {
  expect(lines).toHaveLength(patterns.length);
  for (const [index, pattern] of patterns.entries()) expect(lines[index]).toMatch(new RegExp(`^${pattern}$`));
}

test("a person sees what waits for them, then a line for each run, newest first, with what it waits for or why it failed", async () => {
  const frond = createFrond(files);
  for (const file of ["good.yaml", "bad.yaml", "ask.yaml"]) await frond.run(["run", file]);
  await loseRun(frond, "slow.yaml", 1);
  expectLines(await screenOf(frond, ["runs"], 120), [
    "2 runs wait for you:",
    "  frond resume [0-9a-z]{8,}  slow: its process is gone \\(last heard of \\d+s ago\\)",
    "  frond resume [0-9a-z]{8,}  ask: Really\\? Think\\.",
    "",
    "[0-9a-z]{8,}  ~ interrupted  slow +\\d+s ago +its process is gone \\(last heard of \\d+s ago\\)",
    "[0-9a-z]{8,}  \\? paused       ask  +\\d+s ago +go asks: Really\\? Think\\.",
    "[0-9a-z]{8,}  ✗ failure      bad  +\\d+s ago +\\d+ms  a: exit code 3: no way",
    "[0-9a-z]{8,}  ✓ success      good +\\d+s ago +\\d+ms",
    "",
    "4 runs. Look at one: frond show RUN",
  ]);
});

test("a program gets a line for each run with all its fields, uncut and separated by tabs, however many there are", async () => {
  const frond = createFrond({ ...files, "bad.yaml": files["bad.yaml"].replace("no ", `no${" long".repeat(50)} `) });
  for (const file of ["ask.yaml", "bad.yaml"]) await frond.run(["run", file, "--started-by", "me\tand you"]);
  const { stdout } = await frond.run(["runs"]);
  const [bad = [], ask = [], ...rest] = stdout.split("\n").map((line) => line.split("\t"));
  const times = [expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), expect.stringMatching(/^\d*$/)];
  const id = expect.stringMatching(/^run_[0-9a-z]{16}$/);
  const reason = `a: exit code 3: no${" long".repeat(50)} way`;
  expect(bad).toEqual([id, "failure", "bad", ...times, "me and you", frond.directory, reason]);
  expect(ask).toEqual([id, "paused", "ask", ...times, "me and you", frond.directory, "go asks: Really? Think."]);
  expect(rest).toEqual([[""]]);
});

test("why a run failed is one line, its own lines apart, and says nothing of what to write in the workflow", async () => {
  const asked = { depends_on: ["fetch"], condition: "${blocks.fetch.failed}" };
  const alert = workflow("alert", [shell("fetch", "echo 'visitors: down' >&2; exit 1"), shell("tell", "true", asked)]);
  const frond = createFrond({ "alert.yaml": alert });
  const ended = await frond.run(["run", "alert.yaml"]);
  const advice = "(If 'fetch' may fail: `allow_failure: true` on it.)";
  expect(ended.stdout).toContain(advice);
  const { runs } = await runsOf(frond);
  expect(runs[0]?.error).toContain(advice);
  const { stdout } = await frond.run(["runs"]);
  expect(stdout.trimEnd().split("\t").at(-1)).toBe("fetch: exit code 1: visitors: down");
  const shown = await frond.run(["show", "last"]);
  expect(shown.stdout).toContain(advice);
});

test.each([40, 60, 70, 100, 200])(
  "on a screen of %i columns no line is wider, and each run has one line",
  async (columns) => {
    const frond = createFrond({
      ...files,
      "bad.yaml": files["bad.yaml"].replace('"bad"', '"a-workflow-with-a-long-name"'),
    });
    for (const file of ["bad.yaml", "ask.yaml", "good.yaml"]) await frond.run(["run", file]);
    const lines = await screenOf(frond, ["runs"], columns);
    const [good = "", ask = "", bad = ""] = lines.slice(lines.indexOf("") + 1);
    expect(good).toMatch(/^[0-9a-z]{8,} {2}✓ success/);
    expect(ask).toMatch(/^[0-9a-z]{8,} {2}\? paused/);
    expect(bad).toMatch(/^[0-9a-z]{8,} {2}✗ failure {2}a-workflow/);
    expect(bad).toContain(columns < 60 ? "…" : "a: exit");
  },
);

test("a list that does not fit on the screen shows the newest, and names the command for the next ones", async () => {
  const frond = createFrond(files);
  const journal = await openJournal(frond);
  for (let index = 10; index < 40; index++) {
    await journal.create(creation(`run_00000000${index}abcdef`, { workspace: frond.directory }));
    await journal.append(`run_00000000${index}abcdef`, 1, [runFinished()]);
  }
  await journal.close();
  const shown = (lines: readonly string[]): readonly string[] => lines.filter((line) => /^0{8}/.test(line));
  const first = await screenOf(frond, ["runs"], 80, 20);
  expect(first.length).toBeLessThan(20);
  expect(shown(first).map((line) => line.slice(0, 10))).toEqual(
    Array.from({ length: 16 }, (_, index) => `00000000${39 - index}`),
  );
  expect(first.slice(-2)).toEqual([
    "16 of 30 runs. Look at one: frond show RUN",
    "Older ones: frond runs --before 0000000024",
  ]);
  const next = await screenOf(frond, ["runs", "--before", "0000000024"], 80, 20);
  expect(shown(next)[0]).toMatch(/^0000000023 /);
  expect(shown(await screenOf(frond, ["runs", "--limit", "0"], 80, 20))).toHaveLength(30);
  expect(shown(await screenOf(frond, ["runs", "--limit", "2"], 80, 20))).toHaveLength(2);
  expect((await frond.run(["runs"])).stdout.split("\n")).toHaveLength(31);
});

test("the short id of a run is as long as it must be for other commands to know it", async () => {
  const frond = createFrond();
  const journal = await openJournal(frond);
  const ids = ["run_0123456789abcdef", "run_0123456789abcdeg", "run_012345x789abcdef", "run_9123456789abcdef"];
  for (const id of ids) {
    await journal.create(creation(id, { workspace: id.endsWith("f") ? frond.directory : "/other" }));
    await journal.append(id, 1, [runFinished()]);
  }
  await journal.close();
  const lines = await screenOf(frond, ["runs"], 80);
  const shortened = lines.slice(0, 3).map((line) => line.split(" ")[0] ?? "");
  expect(shortened).toEqual(["91234567", "012345x7", "0123456789abcdef"]);
  for (const [index, short] of shortened.entries()) {
    expect((await frond.json(["runs", "--before", short])).code).toBe(0);
    expect(ids.filter((id) => id.startsWith(`run_${short}`))).toHaveLength(index < 3 ? 1 : 0);
  }
});

test("runs of other directories are counted, listed with --all, and say where they were", async () => {
  const frond = createFrond(files);
  await frond.run(["run", "good.yaml"]);
  await frond.run(["run", "ask.yaml", "--workspace", frond.home]);
  const here = await screenOf(frond, ["runs"], 100);
  expectLines(here, [
    "[0-9a-z]{8,}  ✓ success  good .*",
    "",
    "1 run. Look at one: frond show RUN",
    "And 1 run in other directories \\(1 of them waits for you\\): frond runs --all",
  ]);
  const all = (await screenOf(frond, ["runs", "--all"], 150)).filter((line) => /paused|success/.test(line));
  expect(all[0]).toContain(`in ${frond.home}`);
  expect(all[1]).not.toContain("in /");
  expect(await runsOf(frond)).toMatchObject({ runs: [{ workflow: "good" }], in_other_directories: 1 });
  expect((await runsOf(frond, "--all")).runs.map(({ workflow }) => workflow)).toEqual(["ask", "good"]);
  const filtered = await screenOf(frond, ["runs", "--status", "paused", "--workflow", "ask"], 100);
  expect(filtered).toEqual([
    "No run fits. See them all: frond runs",
    "And 1 run in other directories: frond runs --status paused --workflow ask --all",
  ]);
});

test("runs are chosen by when they began", async () => {
  const frond = createFrond();
  const journal = await openJournal(frond);
  const hour = 3_600_000;
  for (const age of [100, 30, 3, 1]) {
    const at = new Date(Date.now() - age * hour).toISOString();
    await journal.create(creation(`run_${String(age).padStart(16, "0")}`, { at, workspace: frond.directory }));
  }
  await journal.close();
  const ages = async (...args: readonly string[]): Promise<number[]> =>
    (await runsOf(frond, ...args)).runs.map(({ run_id }) => Number(run_id.slice(4)));
  expect(await ages("--since", "2h")).toEqual([1]);
  expect(await ages("--since", "2d", "--until", "2h")).toEqual([3, 30]);
  expect(await ages("--until", "4d")).toEqual([100]);
  expect(await ages("--since", new Date(Date.now() - 50 * hour).toISOString())).toEqual([1, 3, 30]);
  expect(await ages("--since", "2000-01-01", "--until", "today")).toHaveLength(4);
  expect(await frond.json(["runs", "--since", "soon"])).toMatchObject({
    code: 2,
    reply: { errors: [{ message: expect.stringContaining("Write it like 2h, 3d, today") }] },
  });
});

test("as JSON, the list can be cut by status, workflow and number, and gone on with", async () => {
  const frond = createFrond(files);
  for (const file of ["good.yaml", "bad.yaml", "good.yaml", "ask.yaml"]) await frond.run(["run", file]);
  const all = await runsOf(frond);
  expect(all.runs.map(({ status }) => status)).toEqual(["paused", "success", "failure", "success"]);
  expect(all.runs[2]).toEqual({
    run_id: expect.stringMatching(/^run_/),
    workflow: "bad",
    status: "failure",
    started_at: expect.stringMatching(/^\d{4}-.*Z$/),
    finished_at: expect.stringMatching(/^\d{4}-.*Z$/),
    duration_ms: expect.any(Number),
    error: expect.stringMatching(/^'a' failed: exit code 3/),
    pending: [],
    workspace: frond.directory,
    started_by: "command line",
  });
  expect((await runsOf(frond, "--status", "failure", "paused")).runs).toEqual([all.runs[0], all.runs[2]]);
  expect((await runsOf(frond, "--status", "Failed,waiting")).runs).toEqual([all.runs[0], all.runs[2]]);
  expect((await runsOf(frond, "--workflow", "good", "bad")).runs).toEqual(all.runs.slice(1));
  const first = await runsOf(frond, "--limit", "3");
  expect(first).toEqual({ runs: all.runs.slice(0, 3), next: all.runs[2]?.run_id });
  expect(await runsOf(frond, "--before", first.next ?? "")).toEqual({ runs: all.runs.slice(3) });
});

test("what can't be meant is refused", async () => {
  const frond = createFrond(files);
  const status = await frond.json(["runs", "--status", "faild"]);
  expect(status).toMatchObject({
    code: 2,
    reply: { errors: [{ message: expect.stringMatching(/Allowed choices are success.*Did you mean 'failed'\?/) }] },
  });
  const before = await frond.json(["runs", "--before", "run_nothing"]);
  expect(before).toMatchObject({ code: 2, reply: { errors: [{ code: "unknown-run" }] } });
  expect((await frond.run(["runs", "--status", "paused"])).stderr).toBe("No run fits. See them all: frond runs\n");
});

test("listing runs starts nothing, and neither does any other way of looking at them", async () => {
  const frond = createFrond(files);
  const runId = await loseRun(frond, "slow.yaml", 1);
  frond.write("go", "");
  const look = async (): Promise<unknown> => {
    const journal = await openJournal(frond);
    const seen = [await journal.find(runId), await journal.read(runId)];
    await journal.close();
    return seen;
  };
  const before = await look();
  const commands = [
    ["runs"],
    ["show", runId],
    ["show", runId, "a"],
    ["logs", runId],
    ["logs", "-f", runId],
    ["checkpoints"],
  ];
  for (const args of [...commands, ["checkpoints", `chk_${runId.slice(4)}_0`], ["gc", "--older-than", "0s"]]) {
    expect((await frond.run(args)).code).toBe(0);
  }
  expect(await look()).toEqual(before);
});

test("a thousand paused runs are listed in seconds of work, and little memory", async () => {
  const frond = createFrond();
  const journal = await openJournal(frond);
  await Promise.all(
    Array.from({ length: 1000 }, async (_, index) => {
      const runId = `run_${String(index).padStart(16, "0")}`;
      const text = "What is to become of it? ".repeat(40);
      const asked = blockPaused("gate", { questionId: `pause_${index}`, question: { text, audience: "llm" } });
      await journal.create(creation(runId));
      await journal.append(runId, 1, [asked, { type: "run-paused", at: asked.at }]);
      await journal.release(runId, 1);
    }),
  );
  await journal.close();
  const usage = join(dirname(frond.state), "usage");
  const report = join(dirname(frond.state), "report.cjs");
  writeFileSync(
    report,
    `process.once("exit", () => require("node:fs").writeFileSync(${JSON.stringify(usage)}, JSON.stringify(process.resourceUsage())));`,
  );
  const { runs } = await runsOf(frond, "--all", "--status", "paused");
  expect(runs).toHaveLength(1000);
  await frond.run(["runs", "--all", "--json"], { env: { NODE_OPTIONS: `--require=${report}` } });
  const used = JSON.parse(readFileSync(usage, "utf8")) as NodeJS.ResourceUsage;
  // Its own time, because the machine may be busy with something else.
  expect((used.userCPUTime + used.systemCPUTime) / 1e6).toBeLessThan(10);
  expect(used.maxRSS * 1024).toBeLessThan(200e6);
});
