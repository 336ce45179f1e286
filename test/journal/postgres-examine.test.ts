import { expect, test } from "vitest";
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
  expect(empty).toMatchObject({ access: ok("absent"), server: { schema: { found: 0 }, workers: 0 } });
  const journal = await storage.open();
  await journal.close();
  const named = (name: string): string => `${url}?application_name=${encodeURIComponent(name)}`;
  // Two connections of one worker, and one of another.
  await withClient(named("frond-worker a:1"), (one) =>
    withClient(named("frond-worker a:1"), () =>
      withClient(named("frond-worker b:1"), async () => {
        await one.query("SELECT 1");
        const { server } = await storage.examine();
        expect(server).toMatchObject({ workers: 2 });
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
  const well = {
    name: "PostgreSQL db/frond",
    schema: { found: 2, known: 2 },
    roundTripMs: 0.84,
    clockAheadMs: -12.3,
    connections: { used: 20, most: 100 },
    workers: 2,
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
    connections: { used: 95, most: 100 },
    workers: 0,
  });
  expect(poor.map(({ level }) => level)).toEqual(["warning", "warning", "warning", "warning"]);
  expect(poor.every(({ fix }) => fix !== undefined)).toBe(true);
  expect(poor[0]?.message).toContain("with tables of version 1, which the next run brings to 2");
});
