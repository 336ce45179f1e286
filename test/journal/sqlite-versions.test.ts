import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newestVersion, type Schema } from "../../src/journal/schema.ts";
import type { Database } from "../../src/journal/sqlite/driver.ts";
import { migrate } from "../../src/journal/sqlite/migrate.ts";
import { schema } from "../../src/journal/sqlite/migrations/index.ts";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import { blockFinished, blockPaused, otherOwner, owner, runFinished, runStarted } from "./sample-events.ts";
import { scratchDirectory } from "./scratch-directory.ts";
import { checkIntegrity, openFile } from "./sqlite-file.ts";

/** Journals as earlier versions have left them. They are never made anew. */
const place = new URL("../fixtures/journals/", import.meta.url).pathname;
const large = "a large output ".repeat(6000);

function schemaOf(directory: string): unknown[] {
  const database = openFile(directory);
  const rows = database.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
  database.close();
  return rows.map(({ name, sql }) => [name, sql]);
}

/** A copy of the journal of the oldest version. */
function oldDatabase(): { directory: string; database: Database } {
  const directory = scratchDirectory();
  copyFileSync(join(place, "v1", "frond.db"), join(directory, "frond.db"));
  return { directory, database: openFile(directory) };
}

/** As if this program knew some more migrations. */
const withMore = (...more: readonly string[]): Schema => ({ ...schema, migrations: [...schema.migrations, ...more] });
const shouting = `
  ALTER TABLE runs ADD COLUMN shouted TEXT;
  UPDATE runs SET shouted = upper(run_id);`;
const counting = `
  CREATE TABLE counts (run INTEGER PRIMARY KEY, commits INTEGER NOT NULL) STRICT;
  INSERT INTO counts SELECT run, count(*) FROM commits GROUP BY run;`;

function versionOf(database: Database): unknown {
  return database.prepare("PRAGMA user_version").get()?.user_version;
}

test.each(readdirSync(place))("the journal %s is read in full and brought up to date", async (name) => {
  const [directory, fresh] = [scratchDirectory(), scratchDirectory()];
  copyFileSync(join(place, name, "frond.db"), join(directory, "frond.db"));
  const journal = await openSqliteJournal(directory);
  expect((await journal.list({})).map(({ runId }) => runId)).toEqual(["run_waits", "run_done"]);
  expect(await journal.read("run_done")).toEqual([
    runStarted("run_done", { inputs: { environment: "staging" } }),
    blockFinished("build", { outputs: { stdout: large } }),
    runFinished({ outputs: { log: large } }),
  ]);
  expect(await journal.find("run_waits")).toMatchObject({
    status: "paused",
    startedBy: null,
    rerunOf: "run_done",
    sequence: 4,
    fence: 2,
    lease: { owner: otherOwner, heartbeatAt: 1_700_000_000_000 },
    questions: [{ id: "pause_confirm", path: "confirm", question: blockPaused("confirm").question }],
    hidden: ["chk_1"],
  });
  expect((await journal.requests("run_waits")).map(({ request }) => request)).toEqual([
    { kind: "answer", questionId: "pause_confirm", answer: "yes", by: "terminal" },
  ]);
  expect((await journal.usage()).housekeptAt).toBe(1_700_000_000_000);
  const again = { events: [runStarted("run_new")], owner, idempotency: { key: "nightly", fingerprint: "f1" } } as const;
  expect(await journal.create(again)).toEqual({ kind: "exists", runId: "run_done", sameFingerprint: true });
  expect(await journal.append("run_waits", 2, [blockFinished("confirm"), runFinished()])).toBe(true);
  await journal.close();
  checkIntegrity(directory);

  await (await openSqliteJournal(fresh)).close();
  expect(schemaOf(directory)).toEqual(schemaOf(fresh));
});

test("migrations that a journal lacks change what is in it, in their order, and only once", () => {
  const { database } = oldDatabase();
  const target = withMore(shouting, counting);
  for (let time = 0; time < 2; time++) migrate(database, "frond.db", target);
  expect(versionOf(database)).toBe(newestVersion(target));
  expect(
    database
      .prepare("SELECT shouted, commits FROM runs JOIN counts ON run = number ORDER BY number")
      .all()
      .map((row) => ({ ...row })),
  ).toEqual([
    { shouted: "RUN_DONE", commits: 3 },
    { shouted: "RUN_WAITS", commits: 2 },
  ]);
  database.close();
});

test("a migration that does not come to its end leaves the journal as it was, and the next attempt makes it", async () => {
  const { directory, database } = oldDatabase();
  const before = [versionOf(database), schemaOf(directory)];
  expect(() => migrate(database, "frond.db", withMore(shouting, "UPDATE runs SET missing = 1;"))).toThrow("missing");
  expect([versionOf(database), schemaOf(directory)]).toEqual(before);
  migrate(database, "frond.db", withMore(shouting, counting));
  expect(versionOf(database)).toBe(newestVersion(withMore(shouting, counting)));
  database.close();
});

test("a process that ends in the middle of a migration leaves the journal as it was", () => {
  const { directory, database: dying } = oldDatabase();
  const before = schemaOf(directory);
  dying.exec("BEGIN EXCLUSIVE");
  dying.exec(shouting);
  dying.exec(`PRAGMA user_version = ${newestVersion(schema) + 1}`);
  dying.close();
  expect(schemaOf(directory)).toEqual(before);
  const database = openFile(directory);
  migrate(database, "frond.db", withMore(shouting));
  expect(database.prepare("SELECT count(shouted) AS runs FROM runs").get()).toMatchObject({ runs: 2 });
  database.close();
});

test("a journal of a version that was never released is refused, with what to do, and left as it is", async () => {
  const { directory, database } = oldDatabase();
  database.exec(`PRAGMA user_version = ${schema.first - 1}`);
  const before = schemaOf(directory);
  await expect(openSqliteJournal(directory)).rejects.toMatchObject({
    code: "unusable",
    message: expect.stringMatching(
      /never released\. Move it away .*, or choose another state directory with FROND_STATE_DIR\.$/,
    ),
  });
  expect([versionOf(database), schemaOf(directory)]).toEqual([schema.first - 1, before]);
  database.close();
});
