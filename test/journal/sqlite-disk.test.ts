import { chmodSync, chownSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Outcome, Step } from "./journal-child.ts";
import { scratchDirectory } from "./scratch-directory.ts";
import { mountMemory, mountSmallBlocks } from "./small-disk.ts";
import { checkIntegrity } from "./sqlite-file.ts";
import { buildJournalChild, runChild, startChild } from "./start-child.ts";

buildJournalChild();

const done = (...results: readonly unknown[]): Outcome[] => results.map((result) => ({ result }));
const create: Step = { do: "create", runId: "r" };
const list: Step = { do: "list" };
const count: Step = { do: "count", runId: "r" };
const wait: Step = { do: "wait" };
const append = (label: string, bytes = 0): Step => ({ do: "append", runId: "r", fence: 1, label, bytes });

/** One line that says what, where and what to do. */
function refused(code: string, directory: string, what: string): Outcome {
  const file = join(directory, "frond.db").replaceAll(/[.]/g, "[.]");
  return { code, message: expect.stringMatching(new RegExp(`^(?=.*${file})(?=.*${what}).*FROND_STATE_DIR\\.$`)) };
}

describe.each([
  { name: "a disk", mountDisk: mountMemory },
  { name: "a disk of small blocks", mountDisk: mountSmallBlocks },
])("on $name", ({ mountDisk }) => {
  test.for([0, 8 * 1024, 20 * 1024, 40 * 1024, 200 * 1024, 8 * 1024 * 1024])(
    "with %i bytes left, nothing is begun, nothing dies, and it goes on when there is space",
    async (left, context) => {
      const disk = mountDisk(context);
      const { directory } = disk;
      const full = refused("full", directory, "no space left");
      const child = startChild({
        directory,
        steps: [create, append("a"), wait, append("b"), list, count, wait, append("c"), count],
      });
      await child.until(4);
      disk.fill(left);
      child.wake();
      await child.until(8);
      const another = await startChild({ directory, steps: [list] }).ended;
      disk.empty();
      child.wake();
      const { outcomes } = await child.ended;
      expect(outcomes).toEqual([
        ...done("open", "created", true, "waiting"),
        full,
        ...done(["r"], 2, "waiting", true, 3),
      ]);
      expect(another).toMatchObject({ outcomes: [full], code: 0 });
      checkIntegrity(directory);
    },
  );

  test("what does not fit is refused, and what fits is not", async (context) => {
    const { directory } = mountDisk(context);
    const megabyte = 1024 * 1024;
    const steps = [create, append("large", 20 * megabyte), append("small", megabyte), count];
    const full = refused("full", directory, "no space left");
    expect(await runChild({ directory, steps })).toEqual([...done("open", "created"), full, ...done(true, 2)]);
  });
});

describe("where nothing can be written", () => {
  const noWriting = (directory: string): Outcome => refused("read-only", directory, "can't be written to");

  test("a journal that was closed can be read, and works again when it can be written to", async (context) => {
    const disk = mountMemory(context);
    const { directory } = disk;
    await runChild({ directory, steps: [create, append("a"), { do: "close" }] });
    for (const leftover of ["frond.db-wal", "frond.db-shm"]) rmSync(join(directory, leftover), { force: true });
    disk.fill(0);
    disk.makeReadOnly();
    const steps = [list, count, append("b"), { do: "housekeep" }, count, { do: "close" }] as const;
    const no = noWriting(directory);
    expect(await runChild({ directory, steps })).toEqual([...done("open", ["r"], 2), no, no, ...done(2, null)]);
    disk.makeWritable();
    disk.empty();
    expect(await runChild({ directory, steps: [append("b"), count] })).toEqual(done("open", true, 3));
  });

  test("a journal whose process was killed can be read, to the last thing that was promised", async (context) => {
    const disk = mountMemory(context);
    const { directory } = disk;
    const dieAt = { point: "after-commit", what: "block-finished" } as const;
    await startChild({ directory, dieAt, steps: [create, append("a")] }).ended;
    disk.makeReadOnly();
    const steps = [list, count, append("b")];
    expect(await runChild({ directory, steps })).toEqual([...done("open", ["r"], 2), noWriting(directory)]);
    disk.makeWritable();
    expect(await runChild({ directory, steps: [append("b"), count] })).toEqual(done("open", true, 3));
  });

  test("no journal can be made", async (context) => {
    const disk = mountMemory(context);
    mkdirSync(disk.directory);
    disk.makeReadOnly();
    expect(await runChild({ directory: disk.directory, steps: [] })).toEqual([noWriting(disk.directory)]);
    const deeper = join(disk.directory, "deeper");
    const message = `The state directory ${deeper} can't be made: ${disk.directory} can't be written to. Choose another one with FROND_STATE_DIR.`;
    expect(await runChild({ directory: deeper, steps: [] })).toEqual([{ code: "read-only", message }]);
  });

  test.runIf(process.getuid?.() === 0)("a file that may not even be read is refused", async () => {
    const uid = 54_321;
    const directory = join(scratchDirectory(), "state");
    mkdirSync(directory);
    chownSync(directory, uid, uid);
    await runChild({ directory, uid, steps: [create, { do: "close" }] });
    chmodSync(join(directory, "frond.db"), 0);
    expect(await runChild({ directory, uid, steps: [] })).toEqual([refused("unusable", directory, "can't be opened")]);
    chmodSync(join(directory, "frond.db"), 0o600);
    expect(await runChild({ directory, uid, steps: [list] })).toEqual(done("open", ["r"]));
  });

  test.runIf(process.getuid?.() === 0)("a directory that its owner has locked can be read", async () => {
    const uid = 54_321;
    const directory = join(scratchDirectory(), "state");
    mkdirSync(directory);
    chownSync(directory, uid, uid);
    await runChild({ directory, uid, steps: [create, { do: "close" }] });
    for (const leftover of ["frond.db-wal", "frond.db-shm"]) rmSync(join(directory, leftover), { force: true });
    chmodSync(directory, 0o500);
    expect(await runChild({ directory, uid, steps: [list, append("b")] })).toEqual([
      ...done("open", ["r"]),
      noWriting(directory),
    ]);
    chmodSync(directory, 0o700);
    expect(await runChild({ directory, uid, steps: [append("b")] })).toEqual(done("open", true));
  });
});
