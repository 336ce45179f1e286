import { join } from "node:path";
import { expect, test } from "vitest";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { scratchDirectory } from "./scratch-directory.ts";
import { buildJournalChild, startChild } from "./start-child.ts";

const rounds = scaled({ slice: 6, long: 500 });

buildJournalChild();

test(
  "processes that open a new directory at the same moment all find one journal",
  async () => {
    for (let round = 0; round < rounds; round++) {
      const directory = join(scratchDirectory(), "state");
      const children = ["a", "b"].map((runId) =>
        startChild({ directory, waits: true, steps: [{ do: "create", runId }, { do: "close" }] }),
      );
      await Promise.all(children.map((child) => child.until(1)));
      for (const child of children) child.wake();
      for (const { outcomes, stderr } of await Promise.all(children.map(({ ended }) => ended))) {
        expect({ outcomes, stderr }).toEqual({
          outcomes: ["waiting", "open", "created", null].map((result) => ({ result })),
          stderr: "",
        });
      }
      const journal = await openSqliteJournal(directory);
      expect((await journal.list({})).map(({ runId }) => runId).sort()).toEqual(["a", "b"]);
      await journal.close();
    }
  },
  longTimeout,
);
