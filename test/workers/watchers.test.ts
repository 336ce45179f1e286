import { expect, test } from "vitest";
import { startCuttableProxy } from "../rig/cuttable-proxy.ts";
import { createFleet } from "../rig/fleet.ts";
import { shell, workflow } from "../rig/frond.ts";
import { postgresVariables } from "../rig/postgres.ts";

test("who watches a run is told once that it waits for a worker, waits for a database that is away, and ends as the run does", async () => {
  const held = "echo begun; until test -e go; do sleep 0.1; done; echo over";
  const fleet = await createFleet({ "held.yaml": workflow("held", [shell("hold", held)]) });
  const proxy = await startCuttableProxy(fleet.url);
  const env = { ...postgresVariables(proxy.url), FROND_HOST: "elsewhere" };
  const runId = await fleet.queue("held.yaml");
  const attached = fleet.frond.start(["attach", runId], { env });
  const resumed = fleet.frond.start(["resume", runId], { env });
  for (const watcher of [attached, resumed]) await watcher.complaint(`${runId} waits for a worker`);
  await fleet.startWorker();
  for (const watcher of [attached, resumed]) await watcher.until("begun");
  const following = fleet.frond.start(["logs", runId, "-f"], { env });
  await following.until("begun");
  proxy.cut();
  const said = `${runId} can't be watched for now`;
  for (const watcher of [attached, resumed, following]) {
    await Promise.race([watcher.until(said), watcher.complaint(said)]);
  }
  fleet.frond.write("go", "");
  expect((await fleet.untilEnded(runId)).status).toBe("success");
  proxy.mend();
  for (const { ended } of [attached, resumed, following]) {
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining("over")]);
    expect(`${stdout}${stderr}`.split(said)).toHaveLength(2);
    expect(stderr.split("waits for a worker").length).toBeLessThanOrEqual(2);
  }
});
