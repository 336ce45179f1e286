import { beforeAll, expect, test } from "vitest";
import { openApiDoor, untilStands } from "../rig/api-door.ts";
import { createFrond, type Frond, type Running, shell, workflow } from "../rig/frond.ts";
import { postgresVariables, startPostgres } from "../rig/postgres.ts";

let env: Readonly<Record<string, string>>;
let frond: Frond;
let worker: Running;

const files = {
  "hello.yaml": workflow("hello", [shell("say", "echo hello; echo $FROND_HOST > where")]),
  "gpu.yaml": workflow("gpu", [shell("say", "echo hello")], { runs_on: ["gpu"] }),
  "ask.yaml": workflow("ask", [
    { id: "ask", type: "Prompt", inputs: { prompt: "Which?" } },
    shell("after", "echo got it", { depends_on: ["ask"] }),
  ]),
  "write.yaml": workflow("write", [{ id: "file", type: "CreateFile", inputs: { path: "made.txt", content: "x" } }]),
};

beforeAll(async () => {
  const ends: (() => void | Promise<void>)[] = [];
  env = { ...postgresVariables(await (await startPostgres()).createDatabase()), FROND_HOST: "here" };
  frond = createFrond(files, (end) => void ends.push(end));
  worker = frond.start(["worker"], { env });
  await worker.complaint("taking runs");
  return async () => {
    for (const end of ends.toReversed()) await end();
  };
});

test("A run that is left to workers is watched to its end, with the exit code of a run that is driven here", async () => {
  const ended = await frond.run(["run", "--remote", "hello.yaml"], { env });
  expect([ended.code, ended.stderr]).toEqual([
    0,
    expect.stringMatching(/^run_\w+ waits for a worker on here\. Ctrl-C/),
  ]);
  expect(ended.stdout).toContain("hello");
  expect(frond.read("where")).toBe("here\n");
  const json = await frond.run(["run", "--remote", "ask.yaml", "--json"], { env });
  const { status, checkpoint_id: questionId, run_id: runId } = JSON.parse(json.stdout);
  expect([json.code, status]).toEqual([3, "paused"]);
  const resumed = await frond.run(["resume", questionId, "-r", "this", "--json"], { env });
  expect([resumed.code, JSON.parse(resumed.stdout)]).toEqual([
    0,
    expect.objectContaining({ status: "success", run_id: runId }),
  ]);
});

test("Leaving a run to workers without watching it prints its id alone; it says whom it waits for, and is cancelled at once", async () => {
  const { code, stdout, stderr } = await frond.run(["run", "--remote", "-d", "gpu.yaml"], { env });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^run_\w+\n$/)]);
  expect(stderr).toContain("gpu waits for a worker with the label gpu on here.");
  const runId = stdout.trim();
  expect((await frond.run(["runs"], { env })).stdout).toContain("waits for a worker with the label gpu on here");
  const shown = (await frond.run(["show", runId], { env })).stdout;
  expect(shown).toContain(`It waits for a worker with the label gpu on here. Watch it with: frond attach ${runId}`);
  expect(shown).not.toContain("Another process drives it");
  const rerun = await frond.run(["rerun", runId], { env });
  expect([rerun.code, rerun.stderr]).toEqual([2, expect.stringContaining(`${runId} is still queued`)]);
  expect((await frond.run(["recover"], { env })).stdout).toContain("No run is interrupted or overdue.");
  const watching = frond.start(["attach", runId], { env });
  await watching.until("gpu");
  watching.child.kill("SIGINT");
  expect(await watching.ended).toMatchObject({
    code: 130,
    stderr: expect.stringContaining("the run is not cancelled"),
  });
  const cancelled = await frond.run(["cancel", runId, "--json"], { env });
  expect(JSON.parse(cancelled.stdout)).toMatchObject({ status: "failure", cancelled: true });
});

test("What a worker changed is taken back on its machine, wherever that is asked for", async () => {
  const { stdout } = await frond.run(["run", "--remote", "write.yaml", "--json"], { env });
  const { run_id: runId } = JSON.parse(stdout);
  expect(frond.read("made.txt")).toBe("x");
  const there = { env: { ...env, FROND_HOST: "there" } };
  const plan = await frond.run(["undo", runId, "--plan"], there);
  expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining("made.txt")]);
  expect((await frond.run(["undo", runId, "--yes"], there)).code).toBe(0);
  expect(() => frond.read("made.txt")).toThrow("ENOENT");
});

test("A server over HTTP leaves what it starts to workers", async () => {
  const { page } = await openApiDoor({ ...frond, start: (args) => frond.start(args, { env }) });
  const { data } = await page.post("/runs", { workflow_yaml: files["hello.yaml"] });
  await untilStands(page, data.run_id, "done");
  expect((await frond.run(["logs", data.run_id], { env })).stdout).toContain("hello");
  const { stdout } = await frond.run(["show", data.run_id, "--json"], { env });
  expect(JSON.parse(stdout)).toMatchObject({ status: "success", started_by: "web page" });
});

test("Without a database there are no workers, and --remote says what to do", async () => {
  const refused = await frond.run(["run", "--remote", "hello.yaml"], { env: { FROND_DATABASE_URL: "" } });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("Set FROND_DATABASE_URL")]);
});
