import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFleet, type Fleet } from "../rig/fleet.ts";
import { shell, workflow } from "../rig/frond.ts";
import { openHttpDoor } from "../rig/http-door.ts";
import { postgresVariables, withClient } from "../rig/postgres.ts";
import { waitFor } from "../rig/wait-for.ts";

function linesOf({ frond }: Fleet, file: string): string[] {
  const path = join(frond.directory, file);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

test("a run that waits for a machine or label without a worker holds up no other of its workflow, and concurrency holds for the whole team", async () => {
  const bounded = workflow("bounded", [shell("one", "echo in >> order.txt; sleep 0.3; echo out >> order.txt")]);
  const fleet = await createFleet({ "bounded.yaml": bounded });
  const concurrency = 1;
  const nowhere = await fleet.queue("bounded.yaml", { queue: { labels: [], host: "nowhere", concurrency } });
  const unlabelled = await fleet.queue("bounded.yaml", { queue: { labels: ["gpu"], host: "here", concurrency } });
  await Promise.all([fleet.startWorker(["--concurrency", "4"]), fleet.startWorker(["--concurrency", "4"])]);
  const taken = await Promise.all(
    [1, 2, 3, 4].map(() => fleet.queue("bounded.yaml", { queue: { labels: [], host: "here", concurrency } })),
  );
  for (const runId of taken) expect((await fleet.untilEnded(runId)).status).toBe("success");
  // Never two at the same time.
  expect(linesOf(fleet, "order.txt")).toEqual(taken.flatMap(() => ["in", "out"]));
  for (const runId of [nowhere, unlabelled]) expect((await fleet.find(runId)).finishedAt).toBeNull();
  await fleet.startWorker(["--labels", "gpu"]);
  expect((await fleet.untilEnded(unlabelled)).status).toBe("success");
  await fleet.startWorker([], { FROND_HOST: "nowhere" });
  expect((await fleet.untilEnded(nowhere)).status).toBe("success");
});

test("a run that frond run drives itself belongs to its machine: workers and other machines neither drive nor end it", async () => {
  const held = workflow("held", [
    shell("first", "echo first >> first.txt"),
    shell("hold", "echo $$ >> hold.txt; until test -e go; do sleep 0.1; done", {
      depends_on: ["first"],
      on_interrupted: "rerun",
    }),
  ]);
  const fleet = await createFleet({ "held.yaml": held, "other.yaml": workflow("other", [shell("only", "true")]) });
  const { frond } = fleet;
  const on = (host: string) => ({ env: { ...postgresVariables(fleet.url), FROND_HOST: host } });
  const driver = frond.start(["run", "held.yaml"], on("mine"));
  await waitFor("the block runs", () => linesOf(fleet, "hold.txt").length === 1, 30_000);
  const [{ runId = "" } = {}] = await (await fleet.platform.journal()).list({});
  driver.child.kill("SIGKILL");
  await driver.ended;
  // One on another machine, and one on its own: neither drives what has no queue.
  await Promise.all([fleet.startWorker(), fleet.startWorker([], { FROND_HOST: "mine" })]);
  const recovered = await frond.run(["recover"], on("elsewhere"));
  expect(`${recovered.stdout}${recovered.stderr}`).toContain("mine");
  const refused = await frond.run(["resume", runId], on("elsewhere"));
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("mine");
  // The workers have looked for what waits since: this one came later, and is over.
  expect((await fleet.untilEnded(await fleet.queue("other.yaml"))).status).toBe("success");
  expect(await fleet.find(runId)).toMatchObject({ status: "running", finishedAt: null });
  expect(linesOf(fleet, "hold.txt")).toHaveLength(1);
  frond.write("go", "");
  expect(await frond.run(["resume", runId], on("mine"))).toMatchObject({ code: 0 });
  expect(linesOf(fleet, "first.txt")).toHaveLength(1);
  expect((await fleet.find(runId)).status).toBe("success");
});

test("a rerun that is asked of a server is driven by a worker, and takes over what is still right", async () => {
  const flaky = workflow("flaky", [
    shell("before", "echo before >> before.txt"),
    shell("fails", "echo $PPID >> tries.txt; test -e mended", { depends_on: ["before"] }),
  ]);
  const fleet = await createFleet({ "flaky.yaml": flaky });
  const worker = await fleet.startWorker();
  const runId = await fleet.queue("flaky.yaml");
  expect((await fleet.untilEnded(runId)).status).toBe("failure");
  const door = await openHttpDoor(fleet.frond, [], 0, { ...postgresVariables(fleet.url), FROND_HOST: "here" });
  fleet.frond.write("mended", "");
  const headers = { "content-type": "application/json", "x-frond": "1" };
  const asked = await door.send({ method: "POST", headers, body: "{}" }, `/api/runs/${runId}/rerun`);
  const made = (await asked.json()) as { readonly run_id: string };
  expect([asked.status, made.run_id]).toEqual([201, expect.stringMatching(/^run_/)]);
  const ended = await fleet.untilEnded(made.run_id);
  expect(ended).toMatchObject({ status: "success", rerunOf: runId, queue: { labels: [] } });
  expect(linesOf(fleet, "before.txt")).toHaveLength(1);
  expect(linesOf(fleet, "tries.txt")).toHaveLength(2);
  door.running.child.kill("SIGTERM");
  await door.running.ended;
  worker.child.kill("SIGTERM");
  expect((await worker.ended).stderr).toContain(made.run_id);
});

test("a worker says which schedules it keeps, and what it lacks for a run that it could not begin", async () => {
  const secret = { id: "use", type: "Shell", inputs: { command: "true", env: { TOKEN: "${secrets.TOKEN}" } } };
  const fleet = await createFleet({ "secret.yaml": workflow("secret", [secret]) });
  fleet.frond.write(
    "../home/.frond/workflows/yearly.yaml",
    workflow("yearly", [shell("only", "true")], { schedule: "0 0 29 2 *", workspace: "none" }),
  );
  const worker = await fleet.startWorker();
  const runId = await fleet.queue("secret.yaml");
  expect((await fleet.untilEnded(runId)).status).toBe("failure");
  worker.child.kill("SIGTERM");
  const { stderr } = await worker.ended;
  expect(stderr).toContain(`keeping the schedules of ${fleet.frond.directory}: yearly`);
  expect(stderr).toMatch(
    /"warn".*run failed before it began: The worker on here lacks a secret\. .*FROND_SECRET_TOKEN/,
  );
  expect(stderr).not.toContain("nothing-to-do");
});

test("frond gc forgets what workers finished long ago, also where there are none any more", async () => {
  const fleet = await createFleet({ "a.yaml": workflow("a", [shell("only", "true")]) });
  const env = postgresVariables(fleet.url);
  // Before any worker has made its tables there is nothing to forget.
  expect((await fleet.frond.run(["gc"], { env })).code).toBe(0);
  const worker = await fleet.startWorker();
  for (const runId of [await fleet.queue("a.yaml"), await fleet.queue("a.yaml")]) await fleet.untilEnded(runId);
  worker.child.kill("SIGTERM");
  await worker.ended;
  const ask = async (text: string) => (await withClient(fleet.url, (client) => client.query(text))).rows;
  const rows = () => ask("SELECT status FROM frond_dispatch.workflow_status");
  expect(await rows()).toEqual([{ status: "SUCCESS" }, { status: "SUCCESS" }]);
  const twoHours = 2 * 60 * 60 * 1000;
  await ask(`UPDATE frond_dispatch.workflow_status SET completed_at = completed_at - ${twoHours}
    WHERE workflow_uuid = (SELECT min(workflow_uuid) FROM frond_dispatch.workflow_status)`);
  expect((await fleet.frond.run(["gc"], { env })).code).toBe(0);
  expect(await rows()).toEqual([{ status: "SUCCESS" }]);
});
