import { beforeAll } from "vitest";
import { type Postgres, startPostgres } from "../rig/postgres.ts";
import { describeJournal } from "./contract.ts";
import { openPostgres, storageAt } from "./postgres-store.ts";

let server: Postgres;

beforeAll(async () => {
  server = await startPostgres();
});

describeJournal({
  name: "in PostgreSQL",
  durable: true,
  createStore(now) {
    const url = server.createDatabase();
    return {
      open: async () => openPostgres(await url, now && { now }),
      examine: async () => storageAt(await url).examine(),
    };
  },
});
