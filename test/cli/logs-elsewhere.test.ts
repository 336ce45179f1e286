import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createFrond, type Frond, type Running, shell, workflow } from "../rig/frond.ts";
import { waitForGo } from "../rig/lose-run.ts";
import { postgresVariables, startPostgres, withClient } from "../rig/postgres.ts";
import { waitFor } from "../rig/wait-for.ts";

/** Two machines that share nothing but a database: each has a state directory of its own. */
const slow = workflow("slow", [
  shell("a", waitForGo("a")),
  shell("b", "for i in $(seq 500); do echo line $i; done; echo the end >&2", { depends_on: ["a"] }),
]);

let url: string;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  url = await (await startPostgres()).createDatabase();
  env = postgresVariables(url);
});

async function begin(here: Frond): Promise<{ readonly run: Running; readonly runId: string }> {
  const run = here.start(["run", "slow.yaml"], { env });
  await run.until("a begins");
  return { run, runId: /run_[0-9a-z]{16}/.exec(run.shown())?.[0] ?? "" };
}

async function logsOf(frond: Frond, runId: string, ...more: readonly string[]): Promise<string> {
  const { code, stdout } = await frond.run(["logs", runId, ...more], { env });
  expect(code).toBe(0);
  return stdout;
}

test("A run is followed on another machine as it is written, and its whole log is there when it has ended", async () => {
  const [here, there] = [createFrond({ "slow.yaml": slow }), createFrond()];
  const { run, runId } = await begin(here);
  const follower = there.start(["logs", runId, "-f"], { env });
  await follower.until("a begins");
  here.write("go", "");
  const [{ code }, followed] = await Promise.all([run.ended, follower.ended]);
  expect([code, followed.code]).toEqual([0, 0]);
  expect(followed.stdout.match(/line \d+/g)).toHaveLength(500);
  expect(followed.stdout).toContain("a ends");
  expect(followed.stderr).toMatch(/^success slow run_/);
  const whole = await logsOf(here, runId);
  expect(await logsOf(there, runId)).toBe(whole);
  expect(followed.stdout.split("\n").toSorted()).toEqual(whole.split("\n").toSorted());
  expect((await there.run(["gc", "--older-than", "0s"], { env })).stdout).toContain("Removed 1 run");
  const { rows } = await withClient(url, (client) => client.query("SELECT count(*) AS count FROM frond.log_chunks"));
  expect(Number(rows[0]?.count)).toBe(0);
  // What lies on the other machine goes when that one collects.
  expect((await here.run(["gc"], { env })).stdout).toContain("Removed the logs of 1 run that were removed before");
  expect(readdirSync(join(here.state, "logs"))).toEqual([]);
});

test("A process that is killed loses no more of a log than it had not sent, and that is sent when its machine goes on with the run", async () => {
  const [here, there] = [createFrond({ "slow.yaml": slow }), createFrond()];
  const { run, runId } = await begin(here);
  run.child.kill("SIGKILL");
  await run.ended;
  const seen = await logsOf(there, runId, "a");
  expect("a begins\n".startsWith(seen)).toBe(true);
  here.write("go", "");
  const { code } = await here.run(["recover", "--on-interrupted", "rerun"], { env });
  expect(code).toBe(0);
  expect(await logsOf(there, runId, "a@1")).toBe("a begins\n");
  expect(await logsOf(there, runId, "a@2")).toBe("a begins\na ends\n");
  expect(await logsOf(there, runId)).toBe(await logsOf(here, runId));
});

test("Another machine goes on with what a block had written, where its own died", async () => {
  const [here, there] = [createFrond({ "slow.yaml": slow }), createFrond()];
  const { run, runId } = await begin(here);
  await waitFor("the log there", async () => (await logsOf(there, runId, "a")) === "a begins\n");
  run.child.kill("SIGKILL");
  await run.ended;
  await there.run(["resume", runId], { env });
  const { code } = await there.run(["resume", runId, "--response", "done"], { env });
  expect(code).toBe(0);
  const { reply } = await there.json(["show", runId, "a"], { env });
  expect(reply).toMatchObject({ outputs: { stdout: "a begins\n" } });
  expect(await logsOf(here, runId)).toBe(await logsOf(there, runId));
});
