import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { creation, runFinished } from "../journal/sample-events.ts";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { openJournal } from "../rig/stored-journal.ts";

const loud = workflow("loud", [shell("a", "echo $$; head -c 200000 /dev/zero | tr '\\0' x")]);
const write = { id: "a", type: "CreateFile", inputs: { path: "a", content: "new" } };
const ask = workflow("ask", [shell("a", "echo x"), { id: "go", type: "Prompt", inputs: { prompt: "Really?" } }]);

async function ran(...files: readonly string[]): Promise<Frond> {
  const frond = createFrond({ "loud.yaml": loud, "ask.yaml": ask });
  for (const file of files) await frond.run(["run", file]);
  return frond;
}

async function statusesIn(frond: Frond): Promise<string[]> {
  const { reply } = await frond.json(["runs", "--all"]);
  return (reply as { runs: { status: string }[] }).runs.map(({ status }) => status);
}

test("what has ended goes with its log, what waits stays, and the space is told", async () => {
  const frond = await ran("loud.yaml", "ask.yaml", "loud.yaml");
  const { code, stdout } = await frond.run(["gc", "--older-than", "0s"]);
  expect(code).toBe(0);
  const lines = stdout.split("\n");
  expect(lines.slice(0, 2)).toEqual([
    expect.stringMatching(/^run_\w+ {2}loud {2}success {2}ended \d+s ago$/),
    expect.stringMatching(/^run_\w+ {2}loud {2}success {2}ended \d+s ago$/),
  ]);
  expect(lines[2]).toMatch(/^Removed 2 runs: [\d.]+ [KM]B of [\d.]+ [KM]B freed\.$/);
  expect(await statusesIn(frond)).toEqual(["paused"]);
  expect(readdirSync(join(frond.state, "logs"))).toHaveLength(1);
  expect((await frond.run(["gc", "--older-than", "0s"])).stdout).toMatch(/^Nothing to remove: [\d.]+ KB in use\.\n$/);
});

test("what is kept to undo runs is told, and goes with them", async () => {
  const frond = createFrond({ "write.yaml": workflow("write", [write]), a: "x".repeat(20_000) });
  await frond.run(["run", "write.yaml"]);
  expect((await frond.run(["gc"])).stdout).toMatch(
    /^Nothing to remove: [\d.]+ KB in use, 20\.0 KB of it to undo runs\.\n$/,
  );
  const checks = (await frond.json(["doctor"])).reply as { checks: { check: string; message: string }[] };
  expect(checks.checks.find(({ check }) => check === "undo")?.message).toBe(
    "what one run changed is kept, and takes 0.0 MB",
  );
  rmSync(join(frond.state, "blobs/runs"), { recursive: true });
  expect((await frond.run(["gc", "--dry-run"])).stdout).toMatch(
    /^Would remove what was kept to undo runs that were removed before: about 20\.0 KB of [\d.]+ KB\.\n$/,
  );
  await frond.run(["gc", "--older-than", "0s"]);
  expect(
    readdirSync(join(frond.state, "blobs")).flatMap((name) => readdirSync(join(frond.state, "blobs", name))),
  ).toEqual([]);
});

test("young runs stay unless they take too much space, and then the oldest go", async () => {
  const frond = await ran("loud.yaml", "loud.yaml");
  expect((await frond.run(["gc"])).stdout).toMatch(/^Nothing to remove/);
  const { used_bytes: used } = (await frond.json(["gc", "--dry-run"])).reply as { used_bytes: number };
  // Too little for both, enough for one.
  const most = `${Math.round((used * 0.75) / 1000)}KB`;
  const planned = await frond.json(["gc", "--max-size", most, "--dry-run"]);
  const { runs } = (await frond.json(["runs", "--all"])).reply as { runs: { run_id: string }[] };
  expect(planned).toMatchObject({
    code: 0,
    reply: { dry_run: true, runs: [{ run_id: runs[1]?.run_id, reason: "size" }], leftover_logs: [], problems: [] },
  });
  expect(await statusesIn(frond)).toEqual(["success", "success"]);
  const { stdout } = await frond.run(["gc", "--max-size", most]);
  expect(stdout).toMatch(/ended \d+s ago, to make room\nRemoved 1 run: /);
  expect(await statusesIn(frond)).toEqual(["success"]);
});

test("logs that a run left behind are removed", async () => {
  const frond = await ran("ask.yaml");
  const left = join(frond.state, "logs", "run_0000000000000000");
  mkdirSync(left);
  writeFileSync(join(left, "0a.1.log"), "x".repeat(1000));
  expect((await frond.run(["gc"])).stdout).toMatch(
    /^Removed the logs of 1 run that were removed before: 1\.0 KB of [\d.]+ KB freed\.\n$/,
  );
  expect(existsSync(left)).toBe(false);
});

test.each([
  [{ FROND_RETENTION_DAYS: "10000" }, ["success"]],
  [{ FROND_RETENTION_DAYS: "100" }, []],
  [{}, []],
] as const)("with %j, of a run that ended years ago %j is left", async (env, left) => {
  const frond = createFrond();
  const journal = await openJournal(frond);
  await journal.create(creation("run_old"));
  await journal.append("run_old", 1, [runFinished()]);
  await journal.release("run_old", 1);
  await journal.close();
  expect((await frond.run(["gc"], { env })).code).toBe(0);
  expect(await statusesIn(frond)).toEqual(left);
});

test.each([
  ["--older-than", "soon", "Write it like 30d, 12h or 90m."],
  ["--max-size", "big", "Write it like 5GB or 500MB."],
])("`frond gc %s %s` is told: %s", async (option, value, advice) => {
  const refused = await createFrond().json(["gc", option, value]);
  expect(refused).toMatchObject({ code: 2, reply: { errors: [{ message: expect.stringContaining(advice) }] } });
});
