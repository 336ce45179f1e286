import { expect, test } from "vitest";
import { createFleet } from "../rig/fleet.ts";
import { shell, workflow } from "../rig/frond.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { waitFor } from "../rig/wait-for.ts";

test(
  "runs that are paused or asleep hold no slot: with as many as there may be at rest, new runs start at once",
  async () => {
    const fleet = await createFleet({
      "asks.yaml": workflow("asks", [{ id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } }]),
      "sleeps.yaml": workflow("sleeps", [{ id: "wait", type: "Wait", inputs: { duration: "1h" } }]),
      "quick.yaml": workflow("quick", [shell("only", "true")]),
    });
    await fleet.startWorker(["--concurrency", "4"]);
    const count = scaled({ slice: 8, long: 200 });
    const runs: string[] = [];
    for (let index = 0; index < count; index++) {
      for (const file of ["asks.yaml", "sleeps.yaml"]) runs.push(await fleet.queue(file));
    }
    for (const runId of runs) {
      await fleet.until(runId, "it is at rest", ({ status, lease }) => status !== "running" && lease === undefined);
    }
    await waitFor("their segments are over", async () => (await fleet.dispatch.listOpen()).length === 0);
    const quick = await Promise.all([1, 2, 3, 4].map(() => fleet.queue("quick.yaml")));
    for (const runId of quick) expect((await fleet.untilEnded(runId)).status).toBe("success");
  },
  longTimeout,
);
