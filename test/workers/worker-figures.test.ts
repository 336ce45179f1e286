import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFleet } from "../rig/fleet.ts";
import { shell, workflow } from "../rig/frond.ts";
import { withClient } from "../rig/postgres.ts";
import { waitFor } from "../rig/wait-for.ts";

test("a worker tells how it is: health, figures of its runs, that it drains; and the database knows it by name", async () => {
  const fleet = await createFleet({ "a.yaml": workflow("a", [shell("one", "until test -e go; do sleep 0.05; done")]) });
  const worker = await fleet.startWorker(["--http", "0", "--drain", "10m"]);
  const runId = await fleet.queue("a.yaml");
  await fleet.until(runId, "taken", ({ lease }) => lease !== undefined);
  const [, url = ""] = /"url":"([^"]*)"/.exec(worker.complained()) ?? [];
  const health = (): Promise<Response> => fetch(new URL("/healthz", url));
  expect(await (await health()).json()).toEqual({ status: "ok" });
  const token = readFileSync(join(fleet.frond.state, "http-token"), "utf8").trim();
  expect((await fetch(new URL("/metrics", url))).status).toBe(401);
  const answer = await fetch(new URL("/metrics", url), { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  expect(text).toContain('frond_runs{state="running"} 1');
  expect(text).toContain("# TYPE frond_queue_waiting gauge");
  expect(text).toContain('frond_runs_started_total{workflow="a"} 1');
  expect(text).not.toContain("frond_runs_taken_over_total{");
  const { rows } = await withClient(fleet.url, (client) =>
    client.query("SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE datname = current_database()"),
  );
  expect(rows.map(({ name }) => name)).toContain(`frond-worker here:${worker.pid}`);
  worker.child.kill("SIGTERM");
  await waitFor("the worker to drain", async () => (await health()).status === 503);
  expect(await (await health()).json()).toEqual({ status: "draining" });
  fleet.frond.write("go", "");
  expect(await worker.ended).toMatchObject({ code: 0 });
  expect((await fleet.find(runId)).status).toBe("success");
});
