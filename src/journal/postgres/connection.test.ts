import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { Connection } from "./connection.ts";
import type { Pg, PgClient } from "./pg.ts";

/** Clients in the order in which they were made; each answers until it is broken, and says so only if it is told to. */
class Clients {
  readonly made: FakeClient[] = [];
  readonly pg: Pg;

  constructor() {
    const { made } = this;
    this.pg = {
      Client: class extends FakeClient {
        constructor() {
          super();
          made.push(this);
        }
      } as unknown as Pg["Client"],
    };
  }
}

class FakeClient extends EventEmitter {
  isBroken = false;

  async connect(): Promise<void> {}

  async query(): Promise<{ rows: readonly []; rowCount: null }> {
    if (this.isBroken) throw new Error("Client has encountered a connection error and is not queryable");
    return { rows: [], rowCount: null };
  }

  async end(): Promise<void> {}

  break(): void {
    this.isBroken = true;
    this.emit("error", new Error("Connection terminated unexpectedly"));
  }
}

const options = { url: "postgres://nowhere/none", patienceMs: 10_000 };

test("a connection that is lost while it is made ready is not used", async () => {
  const { pg, made } = new Clients();
  const prepare = async (): Promise<void> => {
    if (made.length === 1) made[0]?.break();
  };
  const connection = new Connection({ ...options, pg, prepare });
  await connection.query({ text: "SELECT" });
  expect(made.map(({ isBroken }) => isBroken)).toEqual([true, false]);
});

test("a connection that answers no more, although nobody has said that it is lost, is made anew for what may be done twice", async () => {
  const { pg, made } = new Clients();
  const connection = new Connection({ ...options, pg, prepare: async () => {} });
  await connection.connect();
  for (const client of made) client.isBroken = true;
  const asked: PgClient[] = [];
  await connection.again(() =>
    connection.use(async (client) => {
      asked.push(client);
      await client.query("SELECT");
    }),
  );
  expect([made.length, asked.length]).toEqual([2, 2]);
});
