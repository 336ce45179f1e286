import { afterAll, beforeAll, expect, test } from "vitest";
import { type Postgres, startOwnPostgres } from "../rig/postgres.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { ServerRestarts } from "./restart-server.ts";
import { Rig } from "./rig.ts";
import type { Tally } from "./tally.ts";

let server: Postgres;
let rig: Rig;

beforeAll(async () => {
  // To the disk: what a server has told before it lost its power must be there.
  server = await startOwnPostgres({ durable: true });
  rig = await Rig.open(server);
});

afterAll(async () => {
  expect(await rig.close(), "processes left behind").toEqual([]);
  await server.remove();
});

test(
  "on PostgreSQL, a run outlives kills at any moment and a server that is stopped at once, and ends as if there had been none",
  async () => {
    const restarts = new ServerRestarts(server);
    const isEnough = (tally: Tally): boolean => {
      restarts.look(tally);
      return tally.failed.length > 0;
    };
    const { failed } = await rig.run({ seed: 4, kills: scaled({ slice: 4, long: 1000 }), isEnough });
    await restarts.settled();
    expect(failed).toEqual([]);
    expect(restarts.count).toBeGreaterThan(0);
  },
  longTimeout,
);
