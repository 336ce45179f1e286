import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import { describeJournal } from "./contract.ts";

describeJournal({
  name: "in memory",
  durable: false,
  createStore(now = Date.now) {
    const journal = createMemoryJournal({ now });
    return { open: async () => journal };
  },
});

describeJournal({
  name: "in SQLite",
  durable: true,
  createStore(now = Date.now) {
    const directory = mkdtempSync(join(tmpdir(), "frond-journal-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    return {
      async open() {
        const journal = await openSqliteJournal(directory, { now });
        onTestFinished(() => journal.close());
        return journal;
      },
    };
  },
});
