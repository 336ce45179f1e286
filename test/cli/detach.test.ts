import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTerminal } from "../rig/closable-terminal.ts";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { isAlive } from "../rig/is-alive.ts";
import { databaseInFile } from "../rig/own-database.ts";
import { commandsIn, installFrond, runIdIn, typeCommand } from "../rig/person.ts";
import { hasJournal } from "../rig/stored-journal.ts";
import { waitFor } from "../rig/wait-for.ts";

/** It may end in the same moment. */
function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Says once that it runs, and goes on until there is a file `go`. */
const held = "echo ran >> runs; until [ -e go ]; do sleep 0.05; done";
const asking = { id: "ask", type: "Prompt", inputs: { prompt: "Which?", choices: ["a", "b"] } };
const files = {
  "held.yaml": workflow("held", [shell("held", held), shell("next", "echo after >> runs", { depends_on: ["held"] })]),
  "asking.yaml": workflow("asking", [asking, shell("next", "touch answered", { depends_on: ["ask"] })]),
};

interface Started {
  readonly run_id: string;
  readonly pid: number;
}

function createHeld(): Frond {
  const frond = createFrond(files);
  // Nothing that a failed test has left in the background stays.
  onTestFinished(() => {
    writeFileSync(join(frond.directory, "go"), "");
    for (const pid of drivers(frond)) killIfAlive(pid);
  });
  return frond;
}

/** Processes that drive runs of this state directory in the background. */
function drivers(frond: Frond): readonly number[] {
  const found = readdirSync("/proc").flatMap((name) => {
    try {
      const isDriver = /\0drive\0/.test(readFileSync(`/proc/${name}/cmdline`, "latin1"));
      const isOurs = readFileSync(`/proc/${name}/environ`, "latin1").includes(frond.state);
      const [, parent = ""] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, "latin1")) ?? [];
      return isDriver && isOurs && isAlive(Number(name)) ? [{ pid: Number(name), parent: Number(parent) }] : [];
    } catch {
      return [];
    }
  });
  // What it starts looks like itself until it has become the command.
  const pids = new Set(found.map(({ pid }) => pid));
  return found.filter(({ parent }) => !pids.has(parent)).map(({ pid }) => pid);
}

async function detach(frond: Frond, ...args: readonly string[]): Promise<Started> {
  const { code, reply } = await frond.json(["run", "-d", ...args]);
  expect(code).toBe(0);
  return reply as Started;
}

async function statusOf(frond: Frond, runId: string): Promise<string> {
  return ((await frond.json(["show", runId])).reply as { status: string }).status;
}

function until(frond: Frond, file: string): Promise<void> {
  return waitFor(`${file} to be there`, () => existsSync(join(frond.directory, file)));
}

async function untilStatus(frond: Frond, runId: string, status: string): Promise<void> {
  await waitFor(`${runId} to be ${status}`, async () => (await statusOf(frond, runId)) === status);
}

test("`frond run -d` prints the id alone, says how to go on, and leaves the run to a process of its own", async () => {
  const frond = createHeld();
  const { code, stdout, stderr } = await frond.run(["run", "-d", "held.yaml"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^run_\w+\n$/);
  const runId = stdout.trim();
  expect(commandsIn(stderr)).toEqual([`frond attach ${runId}`, `frond logs ${runId} -f`, `frond cancel ${runId}`]);
  expect(await statusOf(frond, runId)).toBe("running");
  expect(drivers(frond)).toHaveLength(1);
  writeFileSync(join(frond.directory, "go"), "");
  const attached = await typeCommand(frond, commandsIn(stderr)[0] ?? "");
  expect(attached.code).toBe(0);
  expect(frond.read("runs")).toBe("ran\nafter\n");
  await waitFor("the process to end", () => drivers(frond).length === 0);
  expect(readFileSync(join(frond.state, "logs", runId, "process.log"), "utf8")).toBe("");
});

test("with --json a detached run is a document with its id and its process", async () => {
  const frond = createHeld();
  const started = await detach(frond, "held.yaml");
  expect(started).toEqual({
    status: "running",
    run_id: expect.stringMatching(/^run_/),
    workflow: "held",
    pid: drivers(frond)[0],
    message: `Watch it with: frond attach ${started.run_id}`,
  });
  expect((await frond.run(["cancel", started.run_id])).code).toBe(0);
  expect(await statusOf(frond, started.run_id)).toBe("failure");
  await waitFor("the process to end", () => !isAlive(started.pid));
});

test("a detached run goes on when its terminal is closed, and holds nothing of it", async () => {
  const frond = createHeld();
  const terminal = openTerminal(frond, "exec 9> inherited; frond run -d held.yaml; sleep 300");
  await terminal.until("End it with");
  const runId = runIdIn(terminal.shown());
  const [pid = 0] = drivers(frond);
  const open = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      return "";
    }
  });
  expect(open.filter((path) => /\/dev\/(pts|tty)|inherited/.test(path))).toEqual([]);
  // Its session has no terminal.
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  expect(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[4]).toBe("0");
  terminal.close();
  await waitFor("the terminal to be gone", () => terminal.isClosed());
  process.kill(pid, "SIGHUP");
  writeFileSync(join(frond.directory, "go"), "");
  await untilStatus(frond, runId, "success");
});

test("a shell that waits for all output of `frond run -d` gets its end at once, as over ssh", () => {
  const frond = createHeld();
  const script = 'id=$(frond run -d held.yaml 2>&1 | cat) && echo "$id" | grep "^run_"';
  const env = { ...frond.env, PATH: `${installFrond(frond)}:${frond.env.PATH}` };
  const { stdout, status } = spawnSync("sh", ["-c", script], { cwd: frond.directory, env, encoding: "utf8" });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^run_\w+\n$/);
  expect(drivers(frond)).toHaveLength(1);
});

test("what can be refused is refused in the foreground, and then there is no run", async () => {
  const needy = workflow("needy", [shell("a", 'echo "${inputs.x}"')], {
    inputs: { x: { type: "str", required: true } },
  });
  const secretive = workflow("secretive", [
    { ...shell("a", "true"), inputs: { command: "true", env: { T: "${secrets.TOKEN}" } } },
  ]);
  const frond = createFrond({
    ...files,
    "needy.yaml": needy,
    "broken.yaml": "name: broken\nblocks: 1\n",
    "secretive.yaml": secretive,
  });
  for (const [args, said] of [
    [["broken.yaml"], "broken.yaml"],
    [["needy.yaml"], "'x'"],
    [["secretive.yaml"], "'TOKEN' is missing"],
    [["held.yaml", "--dry-run"], "--dry-run"],
  ] as const) {
    const { code, stdout, stderr } = await frond.run(["run", "-d", ...args]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
  }
  expect((await frond.json(["runs"])).reply).toMatchObject({ runs: [] });
  expect(drivers(frond)).toEqual([]);
});

test("a repeated idempotency key gives the run that has it, and starts no second process", async () => {
  const frond = createHeld();
  const first = await detach(frond, "held.yaml", "--idempotency-key", "k");
  const { reply } = await frond.json(["run", "-d", "held.yaml", "--idempotency-key", "k"]);
  expect(reply).toMatchObject({ run_id: first.run_id, status: "running" });
  const again = await frond.run(["run", "-d", "held.yaml", "--idempotency-key", "k"]);
  expect([again.code, again.stdout]).toEqual([0, `${first.run_id}\n`]);
  expect(again.stderr).toContain("The run with this key exists already, and is running.");
  expect(drivers(frond)).toEqual([first.pid]);
});

test("a detached run has the secrets and the environment of whoever started it, and shows the secret to nobody", async () => {
  const command = 'echo "$WORD" > word; printf %s "$TOKEN" | wc -c > length';
  const block = { id: "a", type: "Shell", inputs: { command, env: { TOKEN: "${secrets.TOKEN}" } } };
  const frond = createFrond({ "secret.yaml": workflow("secret", [block, shell("held", held, { depends_on: ["a"] })]) });
  const env = { FROND_SECRET_TOKEN: "correct-horse", WORD: "fern" };
  const { reply } = await frond.json(["run", "-d", "secret.yaml"], { env });
  const { run_id: runId, pid } = reply as Started;
  await until(frond, "runs");
  expect(frond.read("word")).toBe("fern\n");
  expect(frond.read("length").trim()).toBe("13");
  expect(readFileSync(`/proc/${pid}/environ`, "latin1")).not.toContain("correct-horse");
  writeFileSync(join(frond.directory, "go"), "");
  await untilStatus(frond, runId, "success");
});

const lines = (frond: Frond): readonly string[] =>
  existsSync(join(frond.directory, "runs")) ? frond.read("runs").trim().split("\n") : [];

test.each([
  ["its journal", hasJournal],
  ["the directory of the run", (frond: Frond) => existsSync(join(frond.state, "logs"))],
  ["the other process", (frond: Frond) => drivers(frond).length > 0],
  ["the first block", (frond: Frond) => lines(frond).length > 0],
] as const)(
  "whoever kills `frond run -d` when there is %s leaves no run, or one that goes on or can be resumed",
  async (_, isThere) => {
    const frond = createHeld();
    const starting = frond.start(["run", "-d", "held.yaml"]);
    await waitFor("the moment", () => isThere(frond));
    starting.child.kill("SIGKILL");
    const { stdout } = await starting.ended;
    const { runs } = (await frond.json(["runs"])).reply as { runs: { run_id: string }[] };
    expect(runs.length).toBeLessThanOrEqual(1);
    const runId = runs[0]?.run_id;
    if (stdout !== "") expect(stdout.trim()).toBe(runId);
    if (runId === undefined) return expect(drivers(frond)).toEqual([]);
    writeFileSync(join(frond.directory, "go"), "");
    // A process that is still being started may take it, and then it is not for us.
    await waitFor("the run to end", async () => {
      if ((await statusOf(frond, runId)) === "interrupted") await frond.run(["resume", runId]);
      return (await statusOf(frond, runId)) === "success";
    });
    expect(lines(frond)).toEqual(["ran", "after"]);
  },
);

test("a detached run that asks is paused and has no process; the answer goes on in the background", async () => {
  const frond = createHeld();
  const { run_id: runId, pid } = await detach(frond, "asking.yaml");
  await waitFor("the process to end", () => !isAlive(pid));
  expect(await statusOf(frond, runId)).toBe("paused");
  const unanswered = await frond.run(["resume", "-d", runId]);
  expect(unanswered.code).toBe(3);
  // It has told how the run stands, and may not have ended yet.
  await waitFor("no process to drive the run", () => drivers(frond).length === 0);
  const refused = await frond.run(["resume", "-d", runId, "--response", "c"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("answer-refused");
  const answered = await frond.run(["resume", "-d", runId, "--response", "b"]);
  expect([answered.code, answered.stdout]).toEqual([0, `${runId}\n`]);
  await untilStatus(frond, runId, "success");
  expect(existsSync(join(frond.directory, "answered"))).toBe(true);
});

test("a detached run that sleeps keeps its process, which ends with the run", async () => {
  const wait = { id: "wait", type: "Wait", inputs: { duration: "1h" } };
  const frond = createFrond({ "wait.yaml": workflow("wait", [wait]) });
  const { run_id: runId, pid } = await detach(frond, "wait.yaml");
  await untilStatus(frond, runId, "sleeping");
  expect(isAlive(pid)).toBe(true);
  expect((await frond.run(["cancel", runId])).code).toBe(0);
  await waitFor("the process to end", () => !isAlive(pid));
});

test("a process in the background that is told to end leaves its run resumable, as when a machine shuts down", async () => {
  const frond = createHeld();
  const { run_id: runId, pid } = await detach(frond, "held.yaml");
  await until(frond, "runs");
  process.kill(pid, "SIGTERM");
  await waitFor("the process to end", () => !isAlive(pid));
  expect(await statusOf(frond, runId)).toBe("interrupted");
  writeFileSync(join(frond.directory, "go"), "");
  const resumed = await frond.run(["resume", "-d", runId, "--on-interrupted", "rerun"]);
  expect([resumed.code, resumed.stdout]).toEqual([0, `${runId}\n`]);
  await untilStatus(frond, runId, "success");
  expect(lines(frond)).toEqual(["ran", "ran", "after"]);
});

test("a detached rerun reuses what a rerun reuses", async () => {
  const frond = createFrond({
    "two.yaml": workflow("two", [
      shell("one", "echo one >> runs"),
      shell("two", "echo two >> runs; [ -e go ]", { depends_on: ["one"] }),
    ]),
  });
  const { run_id: failed } = (await frond.json(["run", "two.yaml"])).reply as Started;
  writeFileSync(join(frond.directory, "go"), "");
  const { code, stdout, stderr } = await frond.run(["rerun", "-d", failed]);
  expect(code).toBe(0);
  expect(stderr).toContain(`${stdout.trim()} is a rerun of ${failed}.`);
  await untilStatus(frond, stdout.trim(), "success");
  expect(lines(frond)).toEqual(["one", "two", "two"]);
});

test("a run for which no process can be started is kept, and its resume is told", async () => {
  const frond = createHeld();
  await frond.run(["runs"]);
  rmSync(join(frond.state, "logs"), { recursive: true, force: true });
  writeFileSync(join(frond.state, "logs"), "no directory");
  const { code, stdout, stderr } = await frond.run(["run", "-d", "held.yaml"]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("not-detached");
  rmSync(join(frond.state, "logs"));
  writeFileSync(join(frond.directory, "go"), "");
  const [resume = ""] = commandsIn(stderr);
  expect((await typeCommand(frond, resume)).code).toBe(0);
  expect(lines(frond)).toEqual(["ran", "after"]);
});

test("`frond logs -f` shows a detached run to its end, and says how to go on where it pauses", async () => {
  const frond = createFrond({
    "said.yaml": workflow("said", [shell("say", `echo hello; ${held}; echo bye`)]),
    ...files,
  });
  const { run_id: runId } = await detach(frond, "said.yaml");
  const logs = frond.start(["logs", runId, "-f"]);
  await logs.until("hello");
  writeFileSync(join(frond.directory, "go"), "");
  const { code, stdout, stderr } = await logs.ended;
  expect([code, stdout]).toEqual([0, "say | hello\nsay | bye\n"]);
  expect(stderr).toMatch(/^success said /);
  const paused = await detach(frond, "asking.yaml");
  const followed = await frond.run(["logs", paused.run_id, "-f"]);
  expect(followed.stderr).toMatch(/^paused asking run_\w+: Answer with: frond resume pause_\w+ --response 'a'\n$/);
});

test("whether to trust a project is asked in the terminal, before anything goes to the background", async () => {
  const frond = createFrond({ ".frond/workflows/own.yaml": workflow("own", [shell("a", "touch done")]) });
  const run = frond.startInTerminal(["run", "-d", "own"]);
  await run.until("Esc no answer");
  expect((await frond.json(["runs"])).reply).toMatchObject({ runs: [] });
  run.type("y");
  const { code, stdout } = await run.ended;
  expect(code).toBe(0);
  await untilStatus(frond, runIdIn(stdout), "success");
});

test("variables and secrets of a file reach a detached run, and no setting of Frond does", async () => {
  const command = 'echo "$WORD $FROND_STATE_DIR" > word; printf %s "$TOKEN" | wc -c > length';
  const block = { id: "a", type: "Shell", inputs: { command, env: { TOKEN: "${secrets.TOKEN}" } } };
  const frond = createFrond({
    "file.yaml": workflow("file", [block]),
    ".env": "WORD=fern\nFROND_SECRET_TOKEN=correct-horse\nNODE_OPTIONS=--no-such-option\nFROND_MAX_DEPTH=none\n",
  });
  const { run_id: runId } = await detach(frond, "file.yaml", "--dotenv", ".env");
  await untilStatus(frond, runId, "success");
  expect(frond.read("word")).toBe(`fern ${frond.state}\n`);
  expect(frond.read("length").trim()).toBe("13");
  expect(readFileSync(join(frond.state, "logs", runId, "process.log"), "utf8")).toBe("");
});

test("a run that a block of another run leaves in the background outlives that run, and its killed process", async () => {
  const frond = createHeld();
  const bin = installFrond(frond);
  frond.write(
    "outer.yaml",
    workflow("outer", [shell("start", "frond run -d held.yaml"), shell("stay", "touch stays; sleep 300")]),
  );
  const env = { ...databaseInFile(frond), PATH: `${bin}:${frond.env.PATH}` };
  const outer = frond.start(["run", "outer.yaml"], { env });
  await until(frond, "runs");
  await until(frond, "stays");
  const [pid = 0] = drivers(frond);
  outer.child.kill("SIGKILL");
  await outer.ended;
  const { runs } = (await frond.json(["runs", "--workflow", "held"])).reply as { runs: { run_id: string }[] };
  // Whatever its supervisor ends of the other run has ended by then.
  await frond.run(["recover", "--on-interrupted", "fail"]);
  expect(isAlive(pid)).toBe(true);
  writeFileSync(join(frond.directory, "go"), "");
  await untilStatus(frond, runs[0]?.run_id ?? "", "success");
});

test("what the process in the background had to say is kept, and told by attach when it is gone", async () => {
  const frond = createHeld();
  const { run_id: runId } = (await frond
    .run(["run", "-d", "held.yaml", "--json"], { env: { FROND_MAX_DEPTH: "much" } })
    .then(({ stdout }) => JSON.parse(stdout))) as Started;
  await until(frond, "runs");
  for (const pid of drivers(frond)) process.kill(pid, "SIGKILL");
  const { code, stderr } = await frond.run(["attach", runId]);
  expect(code).toBe(3);
  expect(stderr).toContain("The process in the background wrote:\n  warning: FROND_MAX_DEPTH is 'much'");
});
