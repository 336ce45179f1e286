import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
