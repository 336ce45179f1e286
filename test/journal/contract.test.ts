import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createMemoryStorage } from "../../src/journal/memory/memory-journal.ts";
import { createSqliteStorage } from "../../src/journal/sqlite/sqlite-storage.ts";
import { describeJournal } from "./contract.ts";

describeJournal({
  name: "in memory",
  durable: false,
  createStore(now = Date.now) {
    return createMemoryStorage({ now });
  },
});

describeJournal({
  name: "in SQLite",
  durable: true,
  createStore(now = Date.now) {
    const directory = mkdtempSync(join(tmpdir(), "frond-journal-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const storage = createSqliteStorage(directory, { now });
    return {
      ...storage,
      async open() {
        const journal = await storage.open();
        onTestFinished(() => journal.close());
        return journal;
      },
    };
  },
});
