import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import type { Step } from "./journal-child.ts";
import { creation, pathsOf } from "./sample-events.ts";
import { scratchDirectory } from "./scratch-directory.ts";
import { checkIntegrity, openFile } from "./sqlite-file.ts";
import { buildJournalChild, runChild, startChild } from "./start-child.ts";

buildJournalChild();

const appends = (runId: string, label: string, count: number): Step[] =>
  Array.from({ length: count }, (_, index) => ({ do: "append", runId, fence: 1, label: `${label}-${index}` }));

test("processes append to runs of their own at the same time, and nothing is lost", async () => {
  const directory = scratchDirectory();
  const labels = ["a", "b", "c"];
  await Promise.all(
    labels.map((label) =>
      runChild({ directory, steps: [{ do: "create", runId: label }, ...appends(label, label, 100)] }),
    ),
  );
  const journal = await openSqliteJournal(directory);
  for (const label of labels) {
    expect(pathsOf(await journal.read(label))).toEqual(
      appends(label, label, 100).map((_, index) => `${label}-${index}`),
    );
  }
  await journal.close();
  checkIntegrity(directory);
});

test("processes of different versions of Node, each with its own SQLite, share a journal", async (context) => {
  const other = [22, 24]
    .filter((version) => !process.version.startsWith(`v${version}.`))
    .map((version) => join(process.cwd(), `node_modules/.cache/node-${version}/node_modules/node/bin/node`))
    .find(existsSync);
  if (other === undefined) return context.skip("no other Node is installed: see scripts/on-other-nodes.js");
  const directory = scratchDirectory();
  const journal = await openSqliteJournal(directory);
  await journal.create(creation("r"));
  const steps = (label: string): Step[] => [{ do: "take turns", runId: "r", label, times: 30 }, { do: "close" }];
  await Promise.all([runChild({ directory, steps: steps("a") }), runChild({ directory, steps: steps("b") }, other)]);
  const paths = pathsOf(await journal.read("r"));
  for (const label of ["a", "b"]) {
    const own = paths.filter((path) => path.startsWith(label));
    expect(own).toEqual(Array.from({ length: 30 }, (_, turn) => `${label}-${turn}-0`));
  }
  await journal.close();
  checkIntegrity(directory);
});

test("processes that take turns at one run never write over each other", async () => {
  const directory = scratchDirectory();
  const journal = await openSqliteJournal(directory);
  await journal.create(creation("r"));
  const labels = ["a", "b", "c"];
  const steps = (label: string): Step[] => [{ do: "take turns", runId: "r", label, times: 30 }];
  await Promise.all(labels.map((label) => runChild({ directory, steps: steps(label) })));
  const paths = pathsOf(await journal.read("r"));
  expect(paths).toHaveLength(90);
  for (const label of labels) {
    const own = paths.filter((path) => path.startsWith(label));
    expect(own).toEqual(Array.from({ length: 30 }, (_, turn) => `${label}-${turn}-0`));
  }
  expect(await journal.find("r")).toMatchObject({ sequence: 91 });
  await journal.close();
});

test("what another process writes is heard of without asking", async () => {
  const directory = scratchDirectory();
  const journal = await openSqliteJournal(directory);
  let heard = 0;
  journal.subscribe(() => heard++);
  await runChild({ directory, steps: [{ do: "create", runId: "r" }] });
  await expect.poll(() => heard).toBeGreaterThan(0);
  expect(await journal.find("r")).toBeDefined();
  await journal.close();
});

test.each(["before-begin", "before-commit", "after-commit"] as const)(
  "a process that is killed %s loses nothing it was promised, and leaves no half of anything",
  async (point) => {
    const directory = scratchDirectory();
    const steps: Step[] = [{ do: "create", runId: "r" }, ...appends("r", "a", 5), { do: "create", runId: "s" }];
    const last = { point, what: "claim" } as const;
    const dying = startChild({
      directory,
      dieAt: last,
      steps: [...steps, { do: "take turns", runId: "r", label: "b", times: 1 }],
    });
    const { outcomes, signal } = await dying.ended;
    expect(signal).toBe("SIGKILL");
    expect(outcomes).toHaveLength(8);
    checkIntegrity(directory);
    const journal = await openSqliteJournal(directory);
    expect(pathsOf(await journal.read("r"))).toEqual(["a-0", "a-1", "a-2", "a-3", "a-4"]);
    expect(await journal.find("r")).toMatchObject({ sequence: 6, fence: point === "after-commit" ? 2 : 1 });
    await journal.close();
  },
);

test.each(["before-begin", "before-commit", "after-commit"] as const)(
  "a process that is killed %s of its very first write leaves a journal that works",
  async (point) => {
    const directory = scratchDirectory();
    const dieAt = { point, what: "run-started" };
    expect(await startChild({ directory, dieAt, steps: [{ do: "create", runId: "r" }] }).ended).toMatchObject({
      signal: "SIGKILL",
      outcomes: [{ result: "open" }],
    });
    checkIntegrity(directory);
    const again: Step[] = [{ do: "list" }, { do: "create", runId: "s" }, { do: "close" }];
    const before = point === "after-commit" ? ["r"] : [];
    expect(await runChild({ directory, steps: again })).toMatchObject([
      {},
      { result: before },
      { result: "created" },
      {},
    ]);
  },
);

test("writers wait for one that is in the middle of a transaction, and readers do not", async () => {
  const directory = scratchDirectory();
  let attempts = 0;
  const journal = await openSqliteJournal(directory, {
    onWrite(point) {
      if (point === "before-begin" && ++attempts === 3) other.exec("COMMIT");
    },
  });
  const other = openFile(directory);
  other.exec("BEGIN IMMEDIATE");
  const created = journal.create(creation("r"));
  expect(await journal.list({})).toEqual([]);
  expect(await created).toEqual({ kind: "created", fence: 1 });
  expect(attempts).toBeGreaterThanOrEqual(3);
  other.close();
  await journal.close();
});
