import { expect, test } from "vitest";
import type { ServerExamination } from "../../src/journal/journal.ts";
import { createPostgresStorage } from "../../src/journal/postgres/postgres-storage.ts";
import { checkDatabase } from "../../src/runs/diagnose-database.ts";
import { ok } from "../../src/util/result.ts";
import { loadPg, startPostgres, withClient } from "../rig/postgres.ts";

// Before any test begins: it may have to be fetched.
const postgres = await startPostgres();

test("a database is examined without changing it: its way, its tables, its clock, its connections and the workers", async () => {
  const url = await postgres.createDatabase();
  const storage = createPostgresStorage(url, { loadPg: () => ok({ pg: loadPg(), version: "8" }) });
  const empty = await storage.examine();
  expect(empty).toMatchObject({ access: ok("absent"), server: { schema: { found: 0 }, workers: [] } });
  const journal = await storage.open();
  await journal.close();
  const named = (name: string): string => `${url}?application_name=${encodeURIComponent(name)}`;
  // Two connections of one worker, and one of another.
  await withClient(named("frond-worker a:1"), (one) =>
    withClient(named("frond-worker a:1"), () =>
      withClient(named("frond-worker b:1"), async () => {
        await one.query("SELECT 1");
        const { server } = await storage.examine();
        expect(server?.workers.map(({ name }) => name)).toEqual(["a:1", "b:1"]);
        for (const { silentMs } of server?.workers ?? []) expect(silentMs).toBeLessThan(60_000);
        expect(server?.schema.found).toBe(server?.schema.known);
        expect(server?.connections.used).toBeGreaterThanOrEqual(4);
        expect(server?.connections.most).toBeGreaterThanOrEqual(server?.connections.used ?? 0);
        expect(server?.roundTripMs).toBeGreaterThan(0);
        expect(server?.name).not.toContain(new URL(url).password);
      }),
    ),
  );
});

test("what is worth knowing of a database is said, with what to do where that is not well", () => {
  const well: ServerExamination = {
    name: "PostgreSQL db/frond",
    schema: { found: 2, known: 2 },
    roundTripMs: 0.84,
    clockAheadMs: -12.3,
    connections: { used: 20, most: 100, of: "server" },
    workers: [
      { name: "a:1", silentMs: 30 },
      { name: "b:1", silentMs: 80 },
    ],
  };
  expect(checkDatabase(well)).toEqual([
    { check: "database", level: "ok", message: "PostgreSQL db/frond answers in 0.8 ms, with tables of version 2" },
    { check: "clock", level: "ok", message: "that of this machine is 12 ms behind the database" },
    { check: "connections", level: "ok", message: "20 of 100 are in use" },
    { check: "workers", level: "ok", message: "2 are alive" },
  ]);
  const poor = checkDatabase({
    ...well,
    schema: { found: 1, known: 2 },
    roundTripMs: 80,
    clockAheadMs: 4_000,
    connections: { used: 95, most: 100, of: "server" },
    workers: [],
  });
  expect(poor.map(({ level }) => level)).toEqual(["warning", "warning", "warning", "warning"]);
  expect(poor.every(({ fix }) => fix !== undefined)).toBe(true);
  expect(poor[0]?.message).toContain("with tables of version 1, which the next run brings to 2");
});

test("a worker that asks nothing any more is not counted as alive", () => {
  const server = (...silent: readonly number[]): ServerExamination => ({
    name: "PostgreSQL db/frond",
    schema: { found: 2, known: 2 },
    roundTripMs: 1,
    clockAheadMs: 0,
    connections: { used: 20, most: 25, of: "user" },
    workers: silent.map((silentMs, index) => ({ name: `build-${index + 1}:17`, silentMs })),
  });
  const [, , connections, one] = checkDatabase(server(40, 35_400));
  expect(connections).toMatchObject({ level: "warning", message: "20 of 25 of this user are in use" });
  expect(connections?.fix).toMatch(/^Raise its limit with ALTER ROLE .* needs up to 7/);
  expect(one).toMatchObject({ level: "warning", message: "one is alive; build-2:17 has been silent for 35 s" });
  expect(checkDatabase(server(20_000))[3]?.message).toBe("none is alive; build-1:17 has been silent for 20 s");
});

test("what a user or a database may not do is found before a run meets it, with what to grant", async () => {
  const url = await postgres.createDatabase();
  const database = new URL(url).pathname.slice(1);
  const role = `reader_${process.pid}`;
  const as = url.replace(/frond:[^@]+/, `${role}:of-a-reader`);
  const examine = () =>
    createPostgresStorage(as, { loadPg: () => ok({ pg: loadPg(), version: "8" }) })
      .examine()
      .then(({ access }) => (access.ok ? access.value : access.error));
  const administer = (...statements: readonly string[]) =>
    withClient(url, (client) => client.query(statements.join(";")));
  await administer(`CREATE ROLE ${role} LOGIN PASSWORD 'of-a-reader'`);
  expect(await examine()).toContain(`may not make the tables in PostgreSQL`);
  expect(await examine()).toContain(`GRANT CREATE ON DATABASE ${database} TO ${role};`);
  await administer(`GRANT CREATE ON DATABASE ${database} TO ${role}`);
  expect(await examine()).toBe("absent");
  const made = await createPostgresStorage(url, { loadPg: () => ok({ pg: loadPg(), version: "8" }) }).open();
  await made.close();
  await administer(`GRANT USAGE ON SCHEMA frond TO ${role}`, `GRANT SELECT ON ALL TABLES IN SCHEMA frond TO ${role}`);
  expect(await examine()).toMatch(/may read PostgreSQL .*, and not write to it\. Use the user that made the tables/);
  await administer(`GRANT frond TO ${role}`);
  expect(await examine()).toBe("writable");
  await administer(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
  expect(await examine()).toMatch(/is read-only for reader_\d+: default_transaction_read_only is on\. Turn it off/);
  await withClient(`${url}?options=-c%20default_transaction_read_only%3Doff`, async (client) => {
    await client.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
    await client.query(`ALTER ROLE ${role} CONNECTION LIMIT 3`);
  });
  const { server } = await createPostgresStorage(as, { loadPg: () => ok({ pg: loadPg(), version: "8" }) }).examine();
  expect(server?.connections).toEqual({ used: 1, most: 3, of: "user" });
});
