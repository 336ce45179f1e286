import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTerminal } from "../rig/closable-terminal.ts";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { isAlive } from "../rig/is-alive.ts";
import { waitFor } from "../rig/wait-for.ts";

/** Ends at once in its second attempt. */
const held = "echo $$ >> pids; [ -e go ] || exec sleep 300";
const files = {
  "held.yaml": workflow("held", [
    shell("first", "echo one >> firsts"),
    shell("held", held, { depends_on: ["first"], on_interrupted: "rerun" }),
  ]),
  "asking.yaml": workflow("asking", [{ id: "one", type: "Prompt", inputs: { prompt: "Which?" } }]),
};

async function pidOf(frond: Frond): Promise<number> {
  const file = join(frond.directory, "pids");
  await waitFor("the command to write its id", () => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
  return Number(readFileSync(file, "utf8").trim().split("\n").at(-1));
}

async function expectResumable(frond: Frond, runs = 1): Promise<void> {
  const pid = await pidOf(frond);
  await waitFor(`${pid} to end`, () => !isAlive(pid));
  const { reply } = await frond.json(["show", "last"]);
  expect(reply).toMatchObject({ status: "interrupted" });
  writeFileSync(join(frond.directory, "go"), "");
  expect((await frond.run(["resume", "last"])).code).toBe(0);
  expect(readFileSync(join(frond.directory, "firsts"), "utf8")).toBe("one\n".repeat(runs));
}

test("a closed terminal leaves the run resumable: exit code 129, no process left, nothing done twice", async () => {
  const frond = createFrond(files);
  const terminal = openTerminal(frond, "frond run held.yaml");
  await pidOf(frond);
  terminal.close();
  expect(await terminal.code()).toBe(129);
  await expectResumable(frond);
});

test("a terminal that is closed during a rerun or a resume leaves the run resumable", async () => {
  const frond = createFrond(files);
  const first = openTerminal(frond, "frond run held.yaml");
  await pidOf(frond);
  first.close();
  await first.code();
  for (const line of ["frond resume last", "frond rerun last --all"]) {
    writeFileSync(join(frond.directory, "pids"), "");
    const terminal = openTerminal(frond, line);
    await pidOf(frond);
    terminal.close();
    expect(await terminal.code()).toBe(129);
  }
  await expectResumable(frond, 2);
});

test("a terminal that is closed during a recovery leaves all runs resumable", async () => {
  const frond = createFrond(files);
  const run = frond.start(["run", "held.yaml"]);
  await pidOf(frond);
  run.child.kill("SIGKILL");
  await run.ended;
  writeFileSync(join(frond.directory, "pids"), "");
  const terminal = openTerminal(frond, "frond recover");
  await pidOf(frond);
  terminal.close();
  expect(await terminal.code()).toBe(129);
  await expectResumable(frond);
});

test("a log file that the output goes to says why the run was left, and how to go on", async () => {
  const frond = createFrond(files);
  const terminal = openTerminal(frond, "frond run held.yaml > log.txt");
  await pidOf(frond);
  terminal.close();
  expect(await terminal.code()).toBe(129);
  const log = frond.read("log.txt");
  expect(log).toContain("The terminal was closed: running blocks are told to stop, and the run can be resumed.\n");
  expect(log).toMatch(/\ninterrupted held\b/);
});

test("a document that the output goes to is whole although the terminal was closed", async () => {
  const frond = createFrond(files);
  const terminal = openTerminal(frond, "frond run held.yaml --json > log.json");
  await pidOf(frond);
  terminal.close();
  expect(await terminal.code()).toBe(129);
  expect(JSON.parse(frond.read("log.json"))).toMatchObject({
    status: "interrupted",
    message: expect.stringMatching(/frond resume run_\w+$/),
  });
});

test("a terminal that is closed at a question leaves the run paused", async () => {
  const frond = createFrond(files);
  const terminal = openTerminal(frond, "frond run asking.yaml");
  await terminal.until("Which?");
  terminal.close();
  expect(await terminal.code()).toBe(129);
  expect((await frond.json(["show", "last"])).reply).toMatchObject({ status: "paused" });
});

test("under nohup a closed terminal stops nothing", async () => {
  const frond = createFrond(files);
  const terminal = openTerminal(frond, "nohup frond run held.yaml > log.txt 2>&1 < /dev/null");
  const pid = await pidOf(frond);
  terminal.close();
  await waitFor("the terminal to be gone", () => terminal.isClosed());
  expect(isAlive(pid)).toBe(true);
  expect((await frond.json(["show", "last"])).reply).toMatchObject({ status: "running" });
  expect((await frond.run(["cancel", "last"])).code).toBe(0);
  expect(await terminal.code()).toBe(130);
});

test("a terminal that vanishes without SIGHUP stops nothing; what it asks then waits", async () => {
  const asks = { id: "asks", type: "Prompt", inputs: { prompt: "Which?" }, depends_on: ["waits"] };
  const late = workflow("late", [shell("waits", "touch began; until [ -e go ]; do sleep 0.05; done"), asks]);
  const frond = createFrond({ "late.yaml": late });
  // In a session of its own, no signal of the terminal gets there.
  const terminal = openTerminal(frond, "setsid -w frond run late.yaml");
  await waitFor("the block to begin", () => existsSync(join(frond.directory, "began")));
  terminal.close();
  await waitFor("the terminal to be gone", () => terminal.isClosed());
  expect((await frond.json(["show", "last"])).reply).toMatchObject({ status: "running" });
  writeFileSync(join(frond.directory, "go"), "");
  expect(await terminal.code()).toBe(129);
  expect((await frond.json(["show", "last"])).reply).toMatchObject({ status: "paused" });
});
