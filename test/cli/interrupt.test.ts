import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, type Running, shell, workflow } from "../rig/frond.ts";
import { isAlive } from "../rig/is-alive.ts";
import { waitFor } from "../rig/wait-for.ts";

/** Starts a process of its own beside the shell, and writes both ids. */
const polite = "sleep 300 & echo $$ $! > pids; wait";
/** Neither the shell nor its child listens to TERM. */
const stubborn = `trap '' TERM; ${polite}; sleep 300`;

/** By which they would have minutes until they are killed. */
const slowClock = new URL("../rig/slow-clock.cjs", import.meta.url).pathname;

function sleeper(command: string): string {
  return workflow("sleeper", [shell("sleep", command), shell("next", "true", { depends_on: ["sleep"] })]);
}

async function pidsOf(frond: Frond): Promise<number[]> {
  const file = join(frond.directory, "pids");
  await waitFor("the command to write its ids", () => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
  return readFileSync(file, "utf8").trim().split(" ").map(Number);
}

async function expectGone(pids: readonly number[]): Promise<void> {
  for (const pid of pids) await waitFor(`${pid} to end`, () => !isAlive(pid));
}

const cancelledReply = {
  status: "failure",
  run_id: expect.stringMatching(/^run_/),
  workflow: "sleeper",
  cancelled: true,
  failed_blocks: [{ block: "sleep", message: expect.stringContaining("cancelled") }],
  message: expect.stringMatching(/^To run what is left: frond rerun run_\w+$/),
};

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s cancels cleanly: exit code 130, the document, no process left",
  async (signal) => {
    const frond = createFrond({ "sleeper.yaml": sleeper(polite) });
    const run = frond.start(["run", "sleeper.yaml", "--json"]);
    const pids = await pidsOf(frond);
    run.child.kill(signal);
    const { code, stdout, stderr } = await run.ended;
    expect(code).toBe(130);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual(cancelledReply);
    await expectGone(pids);
  },
);

test("a second Ctrl-C does not wait for those who won't end", async () => {
  const frond = createFrond({ "sleeper.yaml": sleeper(stubborn) });
  const run = frond.start(["run", "sleeper.yaml"], { env: { NODE_OPTIONS: `--require=${slowClock}` } });
  const pids = await pidsOf(frond);
  run.child.kill("SIGINT");
  await run.until("Cancelling");
  run.child.kill("SIGINT");
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  expect(stdout).toContain("Cancelling: running blocks are told to stop. Ctrl-C again kills them.\n");
  expect(stdout).toMatch(/^cancelled sleeper run_\w+ after \S+: stopped sleep\n$/m);
  await expectGone(pids);
});

test("a second Ctrl-C still leaves one whole document", async () => {
  const frond = createFrond({ "sleeper.yaml": sleeper(stubborn) });
  const run = frond.start(["run", "sleeper.yaml", "--json"]);
  const pids = await pidsOf(frond);
  run.child.kill("SIGINT");
  run.child.kill("SIGTERM");
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toEqual(cancelledReply);
  await expectGone(pids);
});

async function inTerminal(command: string): Promise<{ frond: Frond; run: Running; pids: number[] }> {
  const frond = createFrond({ "sleeper.yaml": sleeper(command) });
  const run = frond.startInTerminal(["run", "sleeper.yaml"]);
  return { frond, run, pids: await pidsOf(frond) };
}

const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";

test("Ctrl-C in a terminal leaves the last tree and a visible cursor", async () => {
  const { run, pids } = await inTerminal(polite);
  await run.until(hideCursor);
  run.type("\u0003");
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  expect(stdout.lastIndexOf(showCursor)).toBeGreaterThan(stdout.lastIndexOf(hideCursor));
  expect(stdout).toContain("Cancelling: running blocks are told to stop.");
  expect(stdout).toMatch(/- .*next.*Not started: cancelled/);
  expect(stdout).toContain("cancelled");
  await expectGone(pids);
});

test("Ctrl-C twice in a terminal kills at once", async () => {
  const { run, pids } = await inTerminal(stubborn);
  await run.until(hideCursor);
  run.type("\u0003");
  await run.until("Cancelling");
  run.type("\u0003");
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  expect(stdout).toContain("Killing what is left.");
  expect(stdout.lastIndexOf(showCursor)).toBeGreaterThan(stdout.lastIndexOf(hideCursor));
  await expectGone(pids);
});
