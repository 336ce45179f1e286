import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { createFleet } from "../rig/fleet.ts";
import { shell, workflow } from "../rig/frond.ts";

test("a worker takes a run that waits, drives it to its end, and drains when it is told to end", async () => {
  const fleet = await createFleet({
    "a.yaml": workflow("a", [shell("one", "echo one"), shell("two", "echo two", { depends_on: ["one"] })]),
  });
  const early = await fleet.queue("a.yaml");
  const worker = await fleet.startWorker(["--concurrency", "2"]);
  const late = await fleet.queue("a.yaml");
  for (const runId of [early, late]) expect((await fleet.untilEnded(runId)).status).toBe("success");
  worker.child.kill("SIGTERM");
  expect(await worker.ended).toMatchObject({ code: 0 });
  expect(existsSync(fleet.frond.state)).toBe(true);
});
