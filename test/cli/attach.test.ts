import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTerminal } from "../rig/closable-terminal.ts";
import { createFrond, type Frond, type Running, shell, workflow } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";
import { commandsIn, runIdIn, typeCommand } from "../rig/person.ts";
import { leaveAsleep, makeOverdue } from "../rig/sleeping-run.ts";
import { waitFor } from "../rig/wait-for.ts";

/** Writes, and goes on until there is a file `go`; then it is as that says. */
const held =
  "echo working on it; touch began; until [ -e go ]; do sleep 0.05; done; echo about to end >&2; exit $(cat go)";
const files = {
  "held.yaml": workflow("held", [
    shell("first", "true"),
    shell("held", held, { depends_on: ["first"] }),
    shell("next", "true", { depends_on: ["held"] }),
  ]),
  "asking.yaml": workflow("asking", [{ id: "ask", type: "Prompt", inputs: { prompt: "Which?", choices: ["a", "b"] } }]),
};

function createHeld(): Frond {
  const frond = createFrond(files);
  onTestFinished(() => letEnd(frond, 0));
  return frond;
}

function letEnd(frond: Frond, code: number): void {
  writeFileSync(join(frond.directory, "go"), `${code}\n`);
}

async function detach(frond: Frond, file = "held.yaml"): Promise<{ readonly runId: string; readonly pid: number }> {
  const { reply } = await frond.json(["run", "-d", file]);
  const { run_id: runId, pid } = reply as { run_id: string; pid: number };
  if (file === "held.yaml") await waitFor("the block to begin", () => existsSync(join(frond.directory, "began")));
  return { runId, pid };
}

/** What stays when times are left out. */
function lines(text: string): readonly string[] {
  return text
    .replaceAll(/ [\d.]+m?s\b/g, "")
    .replaceAll(/run_\w+/g, "RUN")
    .trim()
    .split("\n");
}

test.each([0, 7])(
  "attach tells all that `frond run` tells, and ends as the run does, with exit code %i of a block",
  async (code) => {
    const frond = createHeld();
    const { runId } = await detach(frond);
    const attached = frond.start(["attach", runId]);
    await attached.until("start   held");
    letEnd(frond, code);
    const { stdout, stderr, code: ended } = await attached.ended;
    const ran = await frond.run(["run", "held.yaml"]);
    expect(lines(stdout)).toEqual(lines(ran.stdout));
    expect(lines(stderr)).toEqual(lines(ran.stderr));
    expect([ended, code === 0]).toEqual([ran.code, ran.code === 0]);
  },
);

test("attach draws the tree with what blocks write, and Ctrl-C leaves the run as it goes on", async () => {
  const frond = createHeld();
  const { runId } = await detach(frond);
  const attached = frond.startInTerminal(["attach"]);
  await attached.until(`Ctrl-C only stops watching ${runId}`);
  await attached.until("working on it");
  attached.type("\u0003");
  const { code, stdout } = await attached.ended;
  expect(code).toBe(130);
  expect((await frond.json(["show", runId])).reply).toMatchObject({ status: "running" });
  const [watch = "", cancel = ""] = commandsIn(stdout.replaceAll("\r", "").slice(stdout.lastIndexOf("No longer")));
  letEnd(frond, 0);
  const again = await typeCommand(frond, watch);
  expect(again.code).toBe(0);
  expect(again.stdout).toMatch(/success.*held/);
  expect((await typeCommand(frond, cancel)).stdout).toContain("It had ended already");
});

test("two terminals watch the same run, and one of them that is closed takes nothing with it", async () => {
  const frond = createHeld();
  const { runId } = await detach(frond);
  const closed = openTerminal(frond, `frond attach ${runId}`);
  const other = openTerminal(frond, `frond attach ${runId}`);
  await closed.until("working on it");
  await other.until("working on it");
  closed.close();
  expect(await closed.code()).toBe(129);
  letEnd(frond, 0);
  expect(await other.code()).toBe(0);
  expect(other.shown()).toMatch(/success.*held/);
});

test("a reader of attach that goes away is no error, and stops nothing", async () => {
  const frond = createHeld();
  const { runId } = await detach(frond);
  const attached: Running = frond.start(["attach", runId]);
  await attached.until("start   held");
  attached.child.stdout.destroy();
  letEnd(frond, 0);
  const { code, stderr } = await attached.ended;
  expect([code, stderr]).toEqual([0, ""]);
  await waitFor("the run to end", async () => (await frond.run(["attach", runId])).stdout.includes("success held"));
});

test("attach says when the process of the run is gone, and how to go on", async () => {
  const frond = createHeld();
  const { runId, pid } = await detach(frond);
  const attached = frond.start(["attach", "last"]);
  await attached.until("start   held");
  process.kill(pid, "SIGKILL");
  const { code, stdout, stderr } = await attached.ended;
  expect(code).toBe(3);
  expect(stdout).toContain(`interrupted held ${runId}: The process that drove it is gone.\n`);
  letEnd(frond, 0);
  const [resume = ""] = commandsIn(stderr);
  expect(resume).toBe(`frond resume ${runId}`);
  expect((await typeCommand(frond, `${resume} --on-interrupted rerun`)).code).toBe(0);
});

test("attach watches a run that a server drives", async () => {
  const frond = createHeld();
  const server = await connect(frond);
  const workflowText = files["held.yaml"];
  const { data } = await server.call("execute_inline_workflow", { workflow_yaml: workflowText, wait_seconds: 0 });
  const attached = frond.start(["attach", data.run_id]);
  await attached.until("start   held");
  letEnd(frond, 0);
  expect(await attached.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("\nsuccess held ") });
});

test("with --json attach prints one document when the run ends", async () => {
  const frond = createHeld();
  const { runId } = await detach(frond);
  const attached = frond.json(["attach", runId]);
  letEnd(frond, 7);
  const { code, reply } = await attached;
  expect(code).toBe(1);
  expect(reply).toMatchObject({ run_id: runId, status: "failure", failed_blocks: [{ block: "held" }] });
});

test("attach to a run that waits for an answer says so, and how to answer", async () => {
  const frond = createHeld();
  const { runId } = await detach(frond, "asking.yaml");
  const { code, stdout } = await frond.run(["attach", runId]);
  expect(code).toBe(3);
  expect(stdout).toContain(`paused asking ${runId}: waits for 1 answer\n`);
  const [answer = ""] = commandsIn(stdout);
  expect((await typeCommand(frond, answer)).code).toBe(0);
  expect(await frond.run(["attach", runId])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("success asking"),
  });
});

test("attach to a run that nobody has woken says so, and how to go on", async () => {
  const frond = createFrond();
  const runId = await leaveAsleep(frond);
  makeOverdue(frond, runId);
  const { code, stderr } = await frond.run(["attach", runId]);
  expect(code).toBe(3);
  const [resume = ""] = commandsIn(stderr);
  expect(resume).toBe(`frond resume ${runId}`);
  expect((await typeCommand(frond, resume)).code).toBe(0);
});

test("attach waits for a run that sleeps, and Ctrl-C leaves it asleep", async () => {
  const frond = createFrond();
  const runId = await leaveAsleep(frond);
  const attached = frond.start(["attach", runId]);
  await attached.until("Nothing goes on before");
  attached.child.kill("SIGINT");
  expect((await attached.ended).code).toBe(130);
  expect((await frond.json(["show", runId])).reply).toMatchObject({ status: "sleeping" });
});

test("without a name attach means the newest run that goes on in this directory, and says so when there is none", async () => {
  const frond = createHeld();
  const { code, stderr } = await frond.run(["attach"]);
  expect(code).toBe(2);
  expect(stderr).toContain("No run goes on in this directory.");
  const { runId } = await detach(frond);
  await frond.run(["run", "asking.yaml"]);
  const attached = frond.start(["attach"]);
  await attached.until("start   held");
  letEnd(frond, 0);
  expect(runIdIn((await attached.ended).stdout)).toBe(runId);
});

/** Down, Enter. */
const firstChoice = "\u001b[B\r";
const thenHeld = {
  "late.yaml": workflow("late", [
    JSON.parse(files["asking.yaml"]).blocks[0],
    shell("held", held, { depends_on: ["ask"] }),
  ]),
};

test("in a terminal attach asks what the run asks, and the run goes on in the background", async () => {
  const frond = createFrond(thenHeld);
  onTestFinished(() => letEnd(frond, 0));
  const { runId } = await detach(frond, "late.yaml");
  const attached = frond.startInTerminal(["attach", runId]);
  await attached.until("Which?");
  attached.type(firstChoice);
  await attached.until("working on it");
  attached.type("\u0003");
  expect((await attached.ended).code).toBe(130);
  expect((await frond.json(["show", runId])).reply).toMatchObject({ status: "running" });
  letEnd(frond, 0);
  const { code, stdout } = await frond.run(["attach", runId]);
  expect(code).toBe(0);
  expect(stdout).toContain("answer  ask (terminal)\n");
});

test("of two terminals that attach asks in, one answers and the other goes on watching", async () => {
  const frond = createFrond(thenHeld);
  onTestFinished(() => letEnd(frond, 0));
  const { runId } = await detach(frond, "late.yaml");
  const one = frond.startInTerminal(["attach", runId]);
  const other = frond.startInTerminal(["attach", runId]);
  await one.until("Which?");
  await other.until("Which?");
  one.type(firstChoice);
  await other.until("ask was answered elsewhere: ");
  await other.until("working on it");
  letEnd(frond, 0);
  expect([(await one.ended).code, (await other.ended).code]).toEqual([0, 0]);
});

test("Esc at a question of attach leaves the run paused", async () => {
  const frond = createFrond(thenHeld);
  const { runId } = await detach(frond, "late.yaml");
  const attached = frond.startInTerminal(["attach", runId]);
  await attached.until("Which?");
  attached.type("\u001b");
  const { code, stdout } = await attached.ended;
  expect(code).toBe(3);
  expect(stdout).toContain(`paused`);
  expect((await frond.json(["show", runId])).reply).toMatchObject({ status: "paused" });
});

test("a run that is answered in attach goes on with the variables of a file that attach was given", async () => {
  const [asks] = JSON.parse(files["asking.yaml"]).blocks;
  const word = shell("word", 'echo "$WORD" > word', { depends_on: ["ask"] });
  const frond = createFrond({ "late.yaml": workflow("late", [asks, word]), ".env": "WORD=fern\n" });
  const { runId } = await detach(frond, "late.yaml");
  const attached = frond.startInTerminal(["attach", runId, "--dotenv", ".env"]);
  await attached.until("Which?");
  attached.type(firstChoice);
  expect((await attached.ended).code).toBe(0);
  expect(frond.read("word")).toBe("fern\n");
});
