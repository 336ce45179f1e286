import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCuttableProxy } from "../rig/cuttable-proxy.ts";
import { createFleet, type Fleet } from "../rig/fleet.ts";
import { shell, workflow } from "../rig/frond.ts";
import { withClient } from "../rig/postgres.ts";
import { waitFor } from "../rig/wait-for.ts";

/** Its first block goes on until somebody ends it the first time, and ends at once from then on. */
const held = workflow("held", [
  shell("long", "echo begin >> long.txt; if [ $(wc -l < long.txt) = 1 ]; then sleep 600; fi", {
    on_interrupted: "rerun",
  }),
  shell("after", "echo begin >> after.txt", { depends_on: ["long"] }),
]);

function linesOf({ frond }: Fleet, file: string): number {
  const path = join(frond.directory, file);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

test("a worker that is stopped past its lease and then goes on can write nothing, and goes on with other runs", async () => {
  const fleet = await createFleet({ "held.yaml": held, "other.yaml": workflow("other", [shell("only", "true")]) });
  const stopped = await fleet.startWorker();
  const runId = await fleet.queue("held.yaml");
  await waitFor("the block runs", () => linesOf(fleet, "long.txt") === 1, 30_000);
  stopped.child.kill("SIGSTOP");
  const other = await fleet.startWorker();
  // As if so much time had passed: its connections are still there, because nobody has closed them.
  await withClient(fleet.url, (client) => client.query("UPDATE frond.runs SET heartbeat_at = 0"));
  expect((await fleet.untilEnded(runId)).status).toBe("success");
  const events = await fleet.events(runId);
  stopped.child.kill("SIGCONT");
  await stopped.complaint("run lost");
  await other.kill();
  expect(await fleet.events(runId)).toEqual(events);
  expect([linesOf(fleet, "long.txt"), linesOf(fleet, "after.txt")]).toEqual([2, 1]);
  expect((await fleet.untilEnded(await fleet.queue("other.yaml"))).status).toBe("success");
});

test("a worker that is cut off from the database starts no block; its runs go on elsewhere, and it works again afterwards", async () => {
  const fleet = await createFleet({ "held.yaml": held, "other.yaml": workflow("other", [shell("only", "true")]) });
  const proxy = await startCuttableProxy(fleet.url);
  const cutOff = await fleet.startWorker([], { FROND_DATABASE_URL: proxy.url });
  const runId = await fleet.queue("held.yaml");
  await waitFor("the block runs", () => linesOf(fleet, "long.txt") === 1, 30_000);
  proxy.cut();
  const other = await fleet.startWorker();
  expect((await fleet.untilEnded(runId)).status).toBe("success");
  await other.kill();
  proxy.mend();
  expect((await fleet.untilEnded(await fleet.queue("other.yaml"))).status).toBe("success");
  expect([linesOf(fleet, "long.txt"), linesOf(fleet, "after.txt")]).toEqual([2, 1]);
  expect(cutOff.child.exitCode).toBe(null);
});
