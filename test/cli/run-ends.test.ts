import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { commandsIn, typeCommand } from "../rig/person.ts";
import { TestScreen } from "../rig/screen.ts";

/** How a run ends in a terminal, in which no line may be wider than the screen; ids and times are left out. */
async function endIn(frond: Frond, columns: number, args: readonly string[], keys?: [string, string]) {
  const run = frond.startInTerminal(args, { columns, rows: 20, env: { NO_COLOR: "1" } });
  if (keys !== undefined) {
    await run.until(keys[0]);
    run.type(keys[1]);
  }
  const { code, stdout } = await run.ended;
  const screen = new TestScreen(columns, 60);
  screen.write(stdout);
  return { code, lines: screen.text().map(withoutTimes), text: screen.text().join("\n") };
}

function withoutTimes(line: string): string {
  return line.replaceAll(/run_[0-9a-z]{16}/g, "RUN").replaceAll(/\b\d+(ms|\.\ds)/g, "TIME");
}

const release = workflow("release", [
  shell("build", "true"),
  shell(
    "lint",
    'if [ "${each.value}" = packages/api ]; then echo "src/a.ts: a text is not assignable to a number" >&2; echo "1 problem" >&2; exit 2; fi',
    { for_each: ["packages/web", "packages/api"] },
  ),
  shell("publish", "true", { depends_on: ["build", "lint"] }),
]);

test("a failure says once which block, for which element and why, then the run, and what to type next", async () => {
  const frond = createFrond({ "release.yaml": release });
  const { code, lines, text } = await endIn(frond, 80, ["run", "release.yaml"]);
  expect(code).toBe(1);
  expect(lines).toEqual([
    "✗ release TIME",
    "  ✓ build TIME",
    "  ✗ lint TIME 1/2, 1 failed",
    "    ✗ [1] packages/api TIME",
    "  - publish  'lint' failed, and is required.",
    "",
    "failed lint/1 (packages/api): exit code 2",
    "  | src/a.ts: a text is not assignable to a number",
    "  | 1 problem",
    "failure release RUN in TIME: lint/1 failed",
    "  See the log: frond logs RUN lint/1",
    "  Fix that, then run: frond rerun RUN",
  ]);
  const [log = "", rerun = ""] = commandsIn(text);
  expect((await typeCommand(frond, log)).stdout).toContain("1 problem");
  expect((await typeCommand(frond, rerun)).stdout).toContain("(reused)");
});

test("in a pipe the end is the same, with nothing cut or broken, and the next commands are not part of it", async () => {
  const frond = createFrond({ "release.yaml": release });
  const { stdout, stderr } = await frond.run(["run", "release.yaml", "--logs", "none"]);
  expect(withoutTimes(stdout).split("\n").slice(-5)).toEqual([
    "failed lint/1 (packages/api): exit code 2",
    "  | src/a.ts: a text is not assignable to a number",
    "  | 1 problem",
    "failure release RUN in TIME: lint/1 failed",
    "",
  ]);
  expect(withoutTimes(stderr)).toBe("  See the log: frond logs RUN lint/1\n  Fix that, then run: frond rerun RUN\n");
});

test("a failure inside nested workflows is named by its path, and its message is broken between words", async () => {
  const words = "the disk is full and nothing more can be written to it by anybody".repeat(2);
  const inner = shell("copy", `printf '%s' '${words}' >&2; exit 3`);
  const frond = createFrond({ "deep.yaml": workflow("deep", [{ id: "stage", blocks: [inner] }]) });
  const { lines } = await endIn(frond, 60, ["run", "deep.yaml"]);
  expect(lines).toEqual([
    "✗ deep TIME",
    "  ✗ stage TIME",
    "    ✗ copy TIME",
    "",
    "failed stage/copy: exit code 3: the disk is full and",
    "  nothing more can be written to it by anybodythe disk is",
    "  full and nothing more can be written to it by anybody",
    "failure deep RUN in TIME: stage/copy",
    "  failed",
    "  See the log: frond logs RUN stage/copy",
    "  Fix that, then run: frond rerun RUN",
  ]);
});

test("a success ends with the id and the duration of the run, and with no advice", async () => {
  const frond = createFrond({ "fine.yaml": workflow("fine", [shell("only", "true")]) });
  const { code, lines } = await endIn(frond, 100, ["run", "fine.yaml"]);
  expect(code).toBe(0);
  expect(lines).toEqual(["✓ fine TIME", "  ✓ only TIME", "", "success fine RUN in TIME"]);
});

test("a cancelled run says what was stopped and how to run what is left", async () => {
  const blocks = [shell("slow", "echo begun; sleep 60"), shell("after", "true", { depends_on: ["slow"] })];
  const frond = createFrond({ "endless.yaml": workflow("endless", blocks) });
  const { code, lines } = await endIn(frond, 100, ["run", "endless.yaml"], ["begun", "\u0003"]);
  expect(code).toBe(130);
  expect(lines.slice(-6)).toEqual([
    "! endless TIME",
    "  ! slow TIME  cancelled",
    "  - after  Not started: cancelled.",
    "",
    "cancelled endless RUN after TIME: stopped slow",
    "  To run what is left: frond rerun RUN",
  ]);
});

test("what ran into a limit is said to have timed out, in the tree, below it and in show", async () => {
  const frond = createFrond({
    "late.yaml": workflow("late", [shell("slow", "sleep 60", { timeout: "100ms" })]),
  });
  const { lines } = await endIn(frond, 100, ["run", "late.yaml"]);
  expect(lines).toEqual([
    "! late TIME",
    "  ! slow TIME  timed out",
    "",
    "failed slow: ran longer than its limit of TIME",
    "failure late RUN in TIME: slow timed out",
    "  See the log: frond logs RUN slow",
    "  Fix that, then run: frond rerun RUN",
  ]);
  expect((await frond.run(["show", "last", "slow"])).stdout).toMatch(/\ntimed out, started /);
});

test("an allowed failure is told in one line, and the run succeeds", async () => {
  const blocks = [shell("probe", "echo gone >&2; exit 3", { allow_failure: true })];
  const frond = createFrond({ "probe.yaml": workflow("probe", blocks) });
  const { code, lines } = await endIn(frond, 100, ["run", "probe.yaml"]);
  expect(code).toBe(0);
  expect(lines).toEqual([
    "✓ probe TIME",
    "  ✗ probe TIME",
    "",
    "allowed probe: exit code 3: gone",
    "success probe RUN in TIME (1 failure allowed)",
  ]);
});

test("a success that left blocks out for an allowed failure names them", async () => {
  const blocks = [
    shell("opt", "sleep 30", { timeout: "0.2s", allow_failure: true }),
    shell("next", "true", { depends_on: [{ block: "opt", required: false }] }),
  ];
  const frond = createFrond({ "left.yaml": workflow("left", blocks) });
  const { code, stdout } = await frond.run(["run", "left.yaml"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^success left .* \(1 failure allowed, 1 block skipped for it: next\)$/m);
  expect((await frond.json(["run", "left.yaml"])).reply).toMatchObject({ status: "success", skipped_blocks: ["next"] });
});

test("of many failures the first ones are told, and how many there are", async () => {
  const blocks = [shell("each", "exit 1", { for_each: "${range(14)}" })];
  const frond = createFrond({ "many.yaml": workflow("many", blocks) });
  const { stdout } = await frond.run(["run", "many.yaml"]);
  const lines = withoutTimes(stdout).split("\n");
  expect(lines.filter((line) => line.startsWith("failed each/"))).toHaveLength(10);
  expect(lines.slice(-3)).toEqual([
    "and 4 more blocks failed",
    "failure many RUN in TIME: each/0 failed (and 13 more)",
    "",
  ]);
});

test("the id of a run can be seen while it goes, and its tree is left once at its end", async () => {
  const frond = createFrond({
    "slow.yaml": workflow("slow", [shell("wait", "while [ ! -e go ]; do sleep 0.02; done")]),
  });
  const run = frond.startInTerminal(["run", "slow.yaml"], { columns: 60, rows: 20, env: { NO_COLOR: "1" } });
  await run.until("wait 0.");
  const screen = new TestScreen(60, 20);
  screen.write(run.shown());
  expect(screen.text()[0]).toMatch(/^\S slow run_[0-9a-z]{16} 0\.\ds 0\/1$/);
  frond.write("go", "");
  const { stdout } = await run.ended;
  const whole = new TestScreen(60, 20);
  whole.write(stdout);
  expect(whole.text().filter((line) => / wait /.test(line))).toHaveLength(1);
});
