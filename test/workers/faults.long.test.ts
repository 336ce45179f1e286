import { expect, test } from "vitest";
import { createFleet, type FleetWorker } from "../rig/fleet.ts";
import { startOwnPostgres } from "../rig/postgres.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { checkOnce, createRandom, irregularWorkflow } from "./check-once.ts";

const blocks = 14;

test(
  "workers that are killed late in irregular graphs leave their runs to others: each ends right, and completed blocks ran once",
  async () => {
    const random = createRandom(21);
    const names = ["a", "b", "c"];
    const files = names.map((name) => [`${name}.yaml`, irregularWorkflow(name, blocks, random)] as const);
    const fleet = await createFleet(Object.fromEntries(files));
    const workers: FleetWorker[] = [];
    for (let count = 0; count < 2; count++) workers.push(await fleet.startWorker(["--concurrency", "3"]));
    for (let round = scaled({ slice: 1, long: 12 }); round > 0; round--) {
      const runs = await Promise.all(names.map((name) => fleet.queue(`${name}.yaml`)));
      const [first = ""] = runs;
      const late = blocks - 6 + random(5);
      await fleet.until(
        first,
        "it is late in the run",
        ({ sequence, finishedAt }) => finishedAt !== null || sequence > 2 * late,
      );
      await workers.shift()?.kill();
      workers.push(await fleet.startWorker(["--concurrency", "3"]));
      for (const runId of runs) {
        expect((await fleet.untilEnded(runId)).status).toBe("success");
        await checkOnce(fleet, runId, blocks);
      }
    }
  },
  longTimeout,
);

test(
  "a database that is stopped at once and started again: every run ends right, and completed blocks ran once",
  async () => {
    const server = await startOwnPostgres({ durable: true });
    try {
      const fleet = await createFleet(
        { "a.yaml": irregularWorkflow("a", blocks, createRandom(4)) },
        await server.createDatabase(),
      );
      await fleet.startWorker(["--concurrency", "3"]);
      await fleet.startWorker(["--concurrency", "3"]);
      for (let round = scaled({ slice: 1, long: 6 }); round > 0; round--) {
        const runs = await Promise.all([1, 2, 3, 4].map(() => fleet.queue("a.yaml")));
        await fleet.until(runs[0] ?? "", "it goes on", ({ sequence }) => sequence > 8);
        await server.stop("immediate");
        await server.start();
        for (const runId of runs) {
          expect((await fleet.untilEnded(runId, 90_000)).status).toBe("success");
          await checkOnce(fleet, runId, blocks);
        }
      }
    } finally {
      await server.remove();
    }
  },
  longTimeout,
);
