import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFleet, type Fleet } from "../rig/fleet.ts";
import { shell, workflow } from "../rig/frond.ts";
import { isAlive } from "../rig/is-alive.ts";
import { waitFor } from "../rig/wait-for.ts";

function linesOf({ frond }: Fleet, file: string): string[] {
  const path = join(frond.directory, file);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

/** Its command goes on for good the first time, and says who it is. */
const held = workflow("held", [
  shell("before", "echo begin >> before.txt"),
  shell("long", "echo $$ >> long.txt; if [ $(wc -l < long.txt) = 1 ]; then sleep 600 & wait; fi", {
    depends_on: ["before"],
    on_interrupted: "rerun",
  }),
  shell("after", "echo begin >> after.txt", { depends_on: ["long"] }),
]);

test("workers that start at the same moment on a new database all take runs; cancelling ends the command on the worker", async () => {
  const fleet = await createFleet({ "held.yaml": held, "other.yaml": workflow("other", [shell("only", "true")]) });
  await Promise.all([fleet.startWorker(), fleet.startWorker()]);
  const runId = await fleet.queue("held.yaml");
  await waitFor("the block runs", () => linesOf(fleet, "long.txt").length === 1, 30_000);
  const [pid = ""] = linesOf(fleet, "long.txt");
  expect(isAlive(Number(pid))).toBe(true);
  await fleet.cancel(runId);
  const ended = await fleet.untilEnded(runId);
  expect(ended).toMatchObject({ status: "failure", cancelled: true });
  expect(isAlive(Number(pid))).toBe(false);
  expect(linesOf(fleet, "after.txt")).toEqual([]);
  expect((await fleet.untilEnded(await fleet.queue("other.yaml"))).status).toBe("success");
});

test("a worker that is told to end hands on what does not end in time, and nothing that was done is done again", async () => {
  const fleet = await createFleet({ "held.yaml": held });
  const first = await fleet.startWorker(["--drain", "1s"]);
  const runId = await fleet.queue("held.yaml");
  await waitFor("the block runs", () => linesOf(fleet, "long.txt").length === 1, 30_000);
  const [pid = ""] = linesOf(fleet, "long.txt");
  first.child.kill("SIGTERM");
  expect(await first.ended).toMatchObject({ code: 0 });
  expect(isAlive(Number(pid))).toBe(false);
  expect(await fleet.find(runId)).toMatchObject({ status: "running", finishedAt: null });
  expect((await fleet.find(runId)).lease).toBeUndefined();
  await fleet.startWorker();
  expect((await fleet.untilEnded(runId)).status).toBe("success");
  const begun = ["before.txt", "long.txt", "after.txt"].map((file) => linesOf(fleet, file).length);
  expect(begun).toEqual([1, 2, 1]);
  const events = await fleet.events(runId);
  const interrupted = events.filter(({ type }) => type === "block-interrupted");
  expect(interrupted).toEqual([expect.objectContaining({ path: "long" })]);
});
