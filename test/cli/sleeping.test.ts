import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { leaveAsleep, makeOverdue, nap } from "../rig/sleeping-run.ts";

const time = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d";

test("Ctrl-C leaves a sleeping run asleep, and says until when and how to go on", async () => {
  const frond = createFrond({ "nap.yaml": nap });
  const run = frond.start(["run", "nap.yaml"]);
  await run.until("Ctrl-C leaves the run asleep");
  run.child.kill("SIGINT");
  const { code, stdout } = await run.ended;
  expect(code).toBe(3);
  expect(stdout).toMatch(new RegExp(`Nothing goes on before ${time}\\. Waiting here;`));
  expect(stdout).toMatch(new RegExp(`sleeping nap run_\\w+: It sleeps until ${time}\\.\\n$`));
  expect((await frond.json(["runs"])).reply).toMatchObject({
    runs: [{ status: "sleeping", wake_at: expect.any(String), pending: [] }],
  });
});

test("in a terminal a sleeping run shows until when, and Ctrl-C leaves it asleep", async () => {
  const frond = createFrond({ "nap.yaml": nap });
  const run = frond.startInTerminal(["run", "nap.yaml"], { columns: 120 });
  await run.until("Ctrl-C leaves the run asleep");
  run.type("\u0003");
  const { stdout } = await run.ended;
  expect(stdout).toMatch(new RegExp(`rest.*  until ${time}`));
  expect(stdout).toContain("sleeping");
  expect(stdout).not.toContain("Cancelling");
});

test("a sleeping run is told apart in every list, with the time when it goes on", async () => {
  const frond = createFrond();
  const runId = await leaveAsleep(frond);
  expect((await frond.run(["runs", "--status", "sleeping"])).stdout).toMatch(
    new RegExp(`^${runId}\tsleeping\t.*sleeps until ${time}`),
  );
  const shown = (await frond.run(["show", runId])).stdout;
  expect(shown).toMatch(new RegExp(`^z nap\\n  ✓ before .*\\n  z rest  until ${time}\\n  · after\\n`, "m"));
  expect((await frond.run(["show", runId, "rest"])).stdout).toMatch(new RegExp(`^goes on at ${time}$`, "m"));
  const checkpoint = `chk_${runId.slice(4)}_1`;
  expect((await frond.run(["checkpoints"])).stdout).toMatch(new RegExp(`^${checkpoint}\t.*sleeps until ${time}`));
  expect((await frond.run(["checkpoints", checkpoint])).stdout).toMatch(
    new RegExp(`^The run sleeps until ${time}$`, "m"),
  );
  const followed = await frond.run(["logs", runId, "-f"]);
  expect([followed.stdout, followed.stderr]).toEqual([
    "before | before\n",
    expect.stringMatching(new RegExp(`^sleeping nap ${runId}: It sleeps until ${time}`)),
  ]);
});

test("recover leaves a run alone that is not due", async () => {
  const frond = createFrond();
  const runId = await leaveAsleep(frond);
  expect((await frond.run(["recover"])).stdout).toBe("No run is interrupted or overdue.\n");
  expect((await frond.json(["show", runId])).reply).toMatchObject({ status: "sleeping" });
});

test("a run that nobody woke in time says so everywhere, and recover goes on with it", async () => {
  const frond = createFrond();
  const runId = await leaveAsleep(frond);
  makeOverdue(frond, runId);
  const overdue = new RegExp(`should have gone on at ${time}: \`frond recover\` wakes it`);
  expect((await frond.run(["runs"])).stdout).toMatch(overdue);
  expect((await frond.run(["checkpoints"])).stdout).toMatch(overdue);
  const advice = new RegExp(
    `It should have gone on at ${time}, and no process woke it\\.\\s+Go on with: frond resume ${runId}`,
  );
  expect((await frond.run(["show", runId])).stdout).toMatch(advice);
  expect((await frond.run(["logs", runId, "-f"])).stderr).toMatch(advice);
  const recovered = await frond.json(["recover"]);
  expect(recovered).toMatchObject({
    code: 0,
    reply: { runs: [{ run_id: runId, status: "success", outputs: { said: "after" } }] },
  });
});

test("resume waits here for a run that sleeps, and goes on with one that is overdue", async () => {
  const frond = createFrond();
  const runId = await leaveAsleep(frond);
  const waiting = frond.start(["resume", runId]);
  await waiting.until("Ctrl-C leaves the run asleep");
  waiting.child.kill("SIGINT");
  expect((await waiting.ended).code).toBe(3);
  makeOverdue(frond, runId);
  expect(await frond.json(["resume", runId])).toMatchObject({ code: 0, reply: { status: "success" } });
});

test("whoever waits for a run hears of its end elsewhere", async () => {
  const frond = createFrond({ "nap.yaml": nap });
  const run = frond.start(["run", "nap.yaml"]);
  await run.until("Ctrl-C leaves the run asleep");
  expect((await frond.run(["cancel", "last"])).stdout).toMatch(/^cancelled nap run_\w+ after .*: stopped rest\n/m);
  const { code, stdout } = await run.ended;
  expect([code, stdout.trimEnd().split("\n").at(-1)]).toEqual([
    130,
    expect.stringMatching(/^cancelled nap run_\w+ after .*: stopped rest$/),
  ]);
});

test("cancel ends a sleeping run at once", async () => {
  const frond = createFrond();
  const runId = await leaveAsleep(frond);
  expect(await frond.json(["cancel", runId])).toMatchObject({
    code: 0,
    reply: { status: "failure", cancelled: true, failed_blocks: [{ block: "rest", message: "cancelled" }] },
  });
});

test("a run that waits for an answer says that part of it sleeps", async () => {
  const both = workflow("both", [
    { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } },
    { id: "rest", type: "Wait", inputs: { duration: "2h" } },
  ]);
  const { code, stdout } = await createFrond({ "both.yaml": both }).run(["run", "both.yaml"]);
  expect(code).toBe(3);
  expect(stdout).toMatch(new RegExp(`waits for 1 answer, and part of it sleeps until ${time}\\n$`));
});

test("what is done again at once is not said to sleep", async () => {
  const again = workflow("again", [
    shell("flaky", "test ${metadata.attempt} -ge 2", { retry: { attempts: 2, delay: 0 } }),
    shell("poll", "true", { repeat: { max: 2, delay: 0 } }),
  ]);
  const { code, stdout } = await createFrond({ "again.yaml": again }).run(["run", "again.yaml"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^FAILED {2}flaky \S+: exit code 1; next attempt at once$/m);
  expect(stdout).toContain("start   flaky (attempt 2)\n");
  expect(stdout).not.toContain("sleeps");
});
