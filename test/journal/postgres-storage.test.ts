import { beforeAll, expect, test } from "vitest";
import { migrate } from "../../src/journal/postgres/migrate.ts";
import { schema } from "../../src/journal/postgres/migrations/index.ts";
import type { Schema } from "../../src/journal/schema.ts";
import { type Postgres, startPostgres, withClient } from "../rig/postgres.ts";
import { openPostgres, storageAt } from "./postgres-store.ts";
import { creation, someEvents } from "./sample-events.ts";

let server: Postgres;

beforeAll(async () => {
  server = await startPostgres();
});

test("processes that open an empty database at the same moment make one journal", async () => {
  const url = await server.createDatabase();
  const journals = await Promise.all(Array.from({ length: 4 }, () => openPostgres(url)));
  await Promise.all(journals.map((journal, index) => journal.create(creation(`r${index}`))));
  expect(await journals[0]?.list({})).toHaveLength(4);
});

test("a journal of a newer version is neither opened nor written to", async () => {
  const url = await server.createDatabase();
  const journal = await openPostgres(url);
  await journal.create(creation("r"));
  await withClient(url, (client) => client.query("INSERT INTO frond.migrations (version) VALUES (999)"));
  const newer = { code: "newer", message: expect.stringMatching(/newer version of Frond\. Update Frond/) };
  await expect(journal.append("r", 1, someEvents(1))).rejects.toMatchObject(newer);
  await expect(openPostgres(url)).rejects.toMatchObject(newer);
  expect((await storageAt(url).examine()).access.ok).toBe(false);
  expect(await journal.read("r")).toHaveLength(1);
});

test("migrations that a journal lacks are made once by processes that open it at the same moment, or not at all", async () => {
  const url = await server.createDatabase();
  const journal = await openPostgres(url);
  await journal.create(creation("r"));
  const withMore = (more: string): Schema => ({ ...schema, migrations: [...schema.migrations, more] });
  const migrateTo = (target: Schema): Promise<void> => withClient(url, (client) => migrate(client, "it", target));
  const shouting = "ALTER TABLE frond.runs ADD COLUMN shouted text; UPDATE frond.runs SET shouted = upper(run_id);";
  await expect(migrateTo(withMore(`${shouting} SELECT missing;`))).rejects.toThrow("missing");
  expect(await journal.append("r", 1, someEvents(1))).toBe(true);
  await Promise.all(Array.from({ length: 3 }, () => migrateTo(withMore(shouting))));
  const { rows } = await withClient(url, (client) =>
    client.query("SELECT shouted, (SELECT array_agg(version) FROM frond.migrations) AS versions FROM frond.runs"),
  );
  expect(rows).toEqual([{ shouted: "R", versions: [schema.first, schema.first + 1] }]);
  // Of which this program, as it is, knows nothing.
  await expect(journal.append("r", 1, someEvents(1))).rejects.toMatchObject({ code: "newer" });
});

test("a journal of a version that was never released is refused, with what to do", async () => {
  const url = await server.createDatabase();
  await (await openPostgres(url)).close();
  await withClient(url, (client) => client.query("UPDATE frond.migrations SET version = 1"));
  await expect(openPostgres(url)).rejects.toMatchObject({
    code: "unusable",
    message: expect.stringMatching(
      /never released\. Take it away with DROP SCHEMA frond CASCADE, or choose another database/,
    ),
  });
});

test("a journal that was removed is made anew by whoever opens it next", async () => {
  const url = await server.createDatabase();
  let removed = 0;
  const journal = await openPostgres(url, { onRemoved: () => removed++ });
  await withClient(url, (client) => client.query("DROP SCHEMA frond CASCADE"));
  await expect(journal.create(creation("r"))).rejects.toMatchObject({ code: "removed" });
  expect(removed).toBe(1);
  expect(await (await openPostgres(url)).create(creation("r"))).toEqual({ kind: "created", fence: 1 });
});

test("a process that ends in order leaves no row of what it has written last", async () => {
  const url = await server.createDatabase();
  const journal = await storageAt(url).open();
  await journal.create(creation("r"));
  const count = async (): Promise<unknown> =>
    (await withClient(url, (client) => client.query("SELECT count(*)::integer AS writers FROM frond.writers"))).rows;
  expect(await count()).toEqual([{ writers: 1 }]);
  await journal.close();
  expect(await count()).toEqual([{ writers: 0 }]);
});

test("what keeps a database from being used is told in one line, with what to do, and never with the password", async () => {
  const url = await server.createDatabase();
  const user = await withClient(url, (client) =>
    client.query("CREATE ROLE stranger LOGIN PASSWORD 'of-a-stranger'").then(() => "stranger:of-a-stranger"),
  );
  const wrong: readonly [url: string, code: string, message: RegExp][] = [
    [
      url.replace("a-password", "no-password"),
      "unusable",
      /password authentication failed.*Check the user, the password and sslmode/,
    ],
    [`${url}_missing`, "unusable", /database "test_\w+_missing" does not exist\. Make it with CREATE DATABASE/],
    [url.replace(/frond:[^@]+/, user), "unusable", /permission denied.*Grant the user CREATE on the database/],
    [`${url}?sslmode=verify-full`, "unusable", /does not support SSL connections.*sslmode=disable/],
    [url.replace(/:\d+\//, ":1/"), "busy", /can't be reached: connect ECONNREFUSED.*Start the server/],
  ];
  for (const [address, code, message] of wrong) {
    const failure = await storageAt(address, { patienceMs: 0 })
      .open()
      .catch((reason: unknown) => reason);
    expect(failure).toMatchObject({ code, message: expect.stringMatching(message) });
    const { access } = await storageAt(address).examine();
    const said = `${String(failure)} ${access.ok ? "" : access.error}`;
    expect(said).not.toMatch(/password-of-tests|of-a-stranger|\n/);
  }
});
