import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { loseRun, waitForGo } from "../rig/lose-run.ts";

const flaky = workflow("flaky", [
  shell("flaky", "echo try ${metadata.attempt}; test ${metadata.attempt} -ge 3", { retry: { attempts: 3, delay: 0 } }),
]);

const child = workflow("child", [
  shell("x", "echo in x; if [ -e mark ]; then rm mark; else touch mark; echo broken >&2; exit 3; fi"),
  shell("y", "echo in y", { depends_on: ["x"] }),
]);

const nested = workflow("nested", [
  { id: "sub", type: "ExecuteWorkflow", inputs: { workflow: "child" }, retry: { attempts: 2, delay: 0 } },
]);

const keys = workflow("keys", [
  shell("each", "echo ${each.key} ${metadata.attempt}; test ${metadata.attempt} -ge 2", {
    for_each: { "a@1": 1, b: 2 },
    for_each_mode: "sequential",
    retry: { attempts: 2, delay: 0 },
  }),
]);

async function ran(file: string, text: string): Promise<Frond> {
  const frond = createFrond({ [file]: text, ".frond/workflows/child.yaml": child });
  await frond.run(["trust"]);
  const { code, stdout, stderr } = await frond.run(["run", file]);
  expect([code, stderr], stdout).toEqual([0, ""]);
  return frond;
}

async function linesOf(frond: Frond, args: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await frond.run(args);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.trimEnd().split("\n");
}

/** What is wrong, and what to do about it. */
async function complaintOf(frond: Frond, args: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await frond.run(args);
  expect([code, stdout]).toEqual([2, ""]);
  return stderr
    .trimEnd()
    .replaceAll(/run_\w{16}/g, "RUN")
    .split("\n");
}

test("show lists the attempts at a block, and shows each by its address", async () => {
  const frond = await ran("flaky.yaml", flaky);
  const latest = await linesOf(frond, ["show", "last", "flaky"]);
  const start = latest.findIndex((line) => /^attempts \(each of them: frond show run_\w{16} flaky@N\)$/.test(line));
  const listed = latest.slice(start + 1, start + 4);
  expect(listed.map((line) => line.replace(/ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, \d+(ms|\.\ds):/, ""))).toEqual([
    "  @1 exit code 1",
    "  @2 exit code 1",
    "  @3 succeeded",
  ]);
  const first = await linesOf(frond, ["show", "last", "flaky@1"]);
  expect(first[1]).toMatch(/^failed, started /);
  expect(first.at(-1)).toBe("  | try 1");
});

test("show tells of one attempt how long it took itself", async () => {
  const slowFirst = workflow("slow-first", [
    shell("flaky", "if [ ${metadata.attempt} = 1 ]; then sleep 1; exit 1; fi", { retry: { attempts: 2, delay: 0 } }),
  ]);
  const frond = await ran("slow-first.yaml", slowFirst);
  expect((await linesOf(frond, ["show", "last", "flaky"]))[1]).toMatch(/, took 1\.\ds, ended [-\d: ]+, attempt 2$/);
  expect((await linesOf(frond, ["show", "last", "flaky@2"]))[1]).toMatch(/, took \d+ms, ended [-\d: ]+, attempt 2$/);
});

test("show gives a block as it was in an earlier attempt of the workflow around it", async () => {
  const frond = await ran("nested.yaml", nested);
  expect(await linesOf(frond, ["show", "last", "sub/x"])).toContain("  exit_code: 0");
  const first = await linesOf(frond, ["show", "last", "sub@1/x"]);
  expect(first).toContain("exit code 3: broken");
  expect(first.slice(-2)).toEqual(["  | in x", "  | broken"]);
  expect((await linesOf(frond, ["show", "last", "sub@1/y"]))[1]).toBe("skipped");
  expect((await frond.json(["show", "last", "sub"])).reply).toMatchObject({
    metadata: { attempts: 2, attempt_history: [{ outcome: "failure" }, { outcome: "success" }] },
  });
});

test("an attempt that there was not is refused, with how many there were", async () => {
  const frond = await ran("nested.yaml", nested);
  for (const command of ["show", "logs"]) {
    expect(await complaintOf(frond, [command, "last", "sub@3/x"])).toEqual([
      "error: There is no 'sub@3': 'sub' has had 2 attempts. [unknown-attempt]",
      "  fix: Write 'sub@2' for its latest.",
    ]);
    expect(await complaintOf(frond, [command, "last", "sub@1/x@2"])).toEqual([
      "error: There is no 'sub@1/x@2': 'sub@1/x' has had 1 attempt. [unknown-attempt]",
      "  fix: Write 'sub@1/x@1' for its latest.",
    ]);
    expect(await complaintOf(frond, [command, "last", "sub@0/x"])).toEqual([
      "error: RUN has no block 'sub@0/x'. [unknown-block]",
      "  fix: After @ stands the number of an attempt, from 1 on, as in 'sub@1/x'.",
    ]);
  }
});

test("the @ of a key is written otherwise than the @ of an attempt", async () => {
  const frond = await ran("keys.yaml", keys);
  expect(await complaintOf(frond, ["show", "last", "each/a@1"])).toEqual([
    "error: RUN has no block 'each/a'. [unknown-block]",
    "  fix: In an address the @ of a key is written %40: 'each/a%401'.",
  ]);
  expect(await linesOf(frond, ["logs", "last", "each/a%401@1"])).toEqual(["a@1 1"]);
});

test("logs tells attempts apart, and gives one of them by its number or its address", async () => {
  const frond = await ran("flaky.yaml", flaky);
  expect(await linesOf(frond, ["logs", "last"])).toEqual([
    "flaky | try 1",
    "flaky | --- attempt 2 ---",
    "flaky | try 2",
    "flaky | --- attempt 3 ---",
    "flaky | try 3",
  ]);
  expect(await linesOf(frond, ["logs", "last", "flaky", "--attempt", "2"])).toEqual(["try 2"]);
  expect(await linesOf(frond, ["logs", "last", "flaky@2"])).toEqual(["try 2"]);
  expect((await complaintOf(frond, ["logs", "last", "flaky", "--attempt", "9"]))[0]).toBe(
    "error: There is no 'flaky@9': 'flaky' has had 3 attempts. [unknown-attempt]",
  );
  expect((await complaintOf(frond, ["logs", "last", "flaky@1", "--attempt", "2"]))[0]).toBe(
    "error: 'flaky@1' is not attempt 2. [two-attempts]",
  );
});

test("logs of what is inside a workflow that was tried again say in which attempt it was written", async () => {
  const frond = await ran("nested.yaml", nested);
  expect(await linesOf(frond, ["logs", "last"])).toEqual([
    "sub/x   | in x",
    "sub/x   | broken",
    "sub@2/x | in x",
    "sub@2/y | in y",
  ]);
  expect(await linesOf(frond, ["logs", "last", "sub@1/x"])).toEqual(["in x", "broken"]);
  expect(await linesOf(frond, ["logs", "last", "sub", "--attempt", "2"])).toEqual(["sub@2/x | in x", "sub@2/y | in y"]);
  const raw = await frond.run(["logs", "last", "sub/x"]);
  expect([raw.stdout, raw.stderr]).toEqual(["in x\nbroken\nin x\n", "--- sub@2/x ---\n"]);
  const { stdout } = await frond.startInTerminal(["logs", "last", "sub/x"], { env: { NO_COLOR: "1" } }).ended;
  expect(stdout.split("\r\n")).toEqual(["in x", "broken", "--- sub@2/x ---", "in x", ""]);
});

test("logs of a loop give an attempt at each of its elements", async () => {
  const frond = await ran("keys.yaml", keys);
  const lines = await linesOf(frond, ["logs", "last", "each", "--attempt", "2"]);
  expect(lines.filter((line) => !line.includes("---"))).toEqual(["each/a%401 | a@1 2", "each/b     | b 2"]);
  expect((await complaintOf(frond, ["logs", "last", "each", "--attempt", "3"]))[0]).toBe(
    "error: No block has an attempt 3 in 'each'. [unknown-attempt]",
  );
});

test("after a kill, a block that runs again counts from then on, and the attempt before is told as interrupted", async () => {
  const frond = createFrond({
    "wait.yaml": workflow("wait", [shell("a", waitForGo("a"), { on_interrupted: "rerun" })]),
  });
  const runId = await loseRun(frond, "wait.yaml", 1);
  const resumed = frond.start(["resume", runId]);
  await resumed.until("(attempt 2)");
  const { reply } = await frond.json(["show", runId, "a"]);
  const { started_at: first } = (reply as { metadata: { started_at: string } }).metadata;
  const lines = await linesOf(frond, ["show", runId, "a"]);
  expect(lines[1]).toMatch(/^running, started [-\d]+ [\d:]+ \(\S+ ago\), attempt 2$/);
  const tree = await linesOf(frond, ["show", runId]);
  const [, seconds] = / a (\d+\.\d)s \(attempt 2\)/.exec(tree.join("\n")) ?? [];
  expect(Number(seconds) * 1000).toBeLessThan(Date.now() - Date.parse(first));
  expect((await linesOf(frond, ["show", runId, "a@1"]))[1]).toMatch(/^was running when its process ended, started /);
  frond.write("go", "");
  expect((await resumed.ended).code).toBe(0);
});
