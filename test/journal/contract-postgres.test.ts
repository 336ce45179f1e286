import { beforeAll, onTestFinished } from "vitest";
import { createPostgresStorage, type PostgresStorageOptions } from "../../src/journal/postgres/postgres-storage.ts";
import { ok } from "../../src/util/result.ts";
import { loadPg, type Postgres, startPostgres } from "../rig/postgres.ts";
import { describeJournal } from "./contract.ts";

let server: Postgres;

beforeAll(async () => {
  server = await startPostgres();
});

describeJournal({
  name: "in PostgreSQL",
  durable: true,
  createStore(now) {
    const url = server.createDatabase();
    const loaded: PostgresStorageOptions["loadPg"] = () => ok({ pg: loadPg(), version: "8.0" });
    const storage = url.then((made) => createPostgresStorage(made, { loadPg: loaded, ...(now && { now }) }));
    return {
      async open() {
        const journal = await (await storage).open();
        onTestFinished(() => journal.close());
        return journal;
      },
      examine: async () => (await storage).examine(),
    };
  },
});
