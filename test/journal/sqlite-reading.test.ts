import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createReadingStorage, createSqliteStorage } from "../../src/journal/sqlite/sqlite-storage.ts";
import { creation, someEvents } from "./sample-events.ts";
import { scratchDirectory } from "./scratch-directory.ts";

test("where there is no journal, whoever only reads sees none and makes none", async () => {
  const directory = join(scratchDirectory(), "state");
  const journal = await createReadingStorage(directory).open();
  expect(await journal.list({})).toEqual([]);
  await journal.close();
  expect(existsSync(directory)).toBe(false);
});

test("whoever only reads sees what another has committed, writes nothing and leaves nothing", async () => {
  const directory = scratchDirectory();
  const writing = await createSqliteStorage(directory).open();
  await writing.create(creation("r"));
  await writing.append("r", 1, someEvents(3));
  const beside = await createReadingStorage(directory).open();
  expect((await beside.list({})).map(({ runId }) => runId)).toEqual(["r"]);
  expect(await beside.read("r")).toHaveLength(4);
  await expect(beside.append("r", 1, someEvents(1))).rejects.toMatchObject({ code: "read-only" });
  await beside.close();
  await writing.append("r", 1, someEvents(1));
  await writing.close();
  const before = [readdirSync(directory), readFileSync(join(directory, "frond.db"))];
  const after = await createReadingStorage(directory).open();
  expect(await after.read("r")).toHaveLength(5);
  await after.close();
  expect([readdirSync(directory), readFileSync(join(directory, "frond.db"))]).toEqual(before);
});
