import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import { blockPaused, creation } from "../journal/sample-events.ts";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { loseRun, waitForGo } from "../rig/lose-run.ts";
import { TestScreen } from "../rig/screen.ts";

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

test("before the first run it is said how to start one", async () => {
  expect(await createFrond().run(["runs"])).toEqual({
    code: 0,
    stdout: "No runs yet. Start one: frond run NAME (see `frond list`)\n",
    stderr: "",
  });
});

test("runs are listed newest first, with what each waits for or why it failed", async () => {
  const frond = createFrond(files);
  for (const file of ["good.yaml", "bad.yaml", "ask.yaml"]) await frond.run(["run", file]);
  await loseRun(frond, "slow.yaml", 1);
  const { code, stdout } = await frond.run(["runs"]);
  expect(code).toBe(0);
  const line = (status: string, name: string, about: string): string =>
    `^run_[0-9a-z]{16}  ${status} +${name} +\\d+s ago +${about}$`;
  const expected = [
    line("interrupted", "slow", "its process is gone \\(last heard of \\d+s ago\\)"),
    line("paused", "ask", "go asks: Really\\? Think\\."),
    line("failure", "bad", "\\d+ms  'a' failed: exit code 3: no way"),
    line("success", "good", "\\d+ms"),
    "^$",
    "^4 runs\\. Look at one: frond show RUN\\.$",
    "^$",
  ];
  const lines = stdout.split("\n");
  expect(lines).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(lines[index]).toMatch(new RegExp(pattern));
});

test.each([40, 70, 100, 200])(
  "on a screen of %i columns no line is wider, and each run has its own",
  async (columns) => {
    const frond = createFrond(files);
    await frond.run(["run", "bad.yaml"]);
    const { stdout } = await frond.startInTerminal(["runs"], { env: { NO_COLOR: "1" }, columns }).ended;
    const screen = new TestScreen(columns, 24);
    const [table = ""] = stdout.split("\r\n\r\n");
    screen.write(table);
    expect(screen.text().join(" ")).toMatch(/^run_[0-9a-z]{16} {2}failure +bad +\d+s ago +\d+ms {2}'a' fa/);
  },
);

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
    reply: { errors: [{ message: expect.stringContaining("Allowed choices are success") }] },
  });
  const before = await frond.json(["runs", "--before", "run_nothing"]);
  expect(before).toMatchObject({ code: 2, reply: { errors: [{ code: "unknown-run" }] } });
  expect((await frond.run(["runs", "--status", "paused"])).stdout).toBe("No run fits. See them all: frond runs\n");
});

test("listing runs starts nothing, and neither does any other way of looking at them", async () => {
  const frond = createFrond(files);
  const runId = await loseRun(frond, "slow.yaml", 1);
  frond.write("go", "");
  const look = async (): Promise<unknown> => {
    const journal = await openSqliteJournal(frond.state);
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

test("a thousand paused runs are listed within a second, in less than 100 MB", async () => {
  const frond = createFrond();
  const journal = await openSqliteJournal(frond.state);
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
  expect((used.userCPUTime + used.systemCPUTime) / 1e6).toBeLessThan(1);
  expect(used.maxRSS * 1024).toBeLessThan(100e6);
});
