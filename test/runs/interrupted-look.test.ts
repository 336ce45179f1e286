import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import { RunStopped } from "../../src/runs/driven-run.ts";
import { decorateJournal } from "../rig/decorate-journal.ts";
import { createTestEngine } from "../rig/engine.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";
import { makeSparse, untilOpened } from "../rig/sparse-file.ts";
import { waitFor } from "../rig/wait-for.ts";

const huge = 100_000_000_000;

/** A run whose engine died with a change announced, of a file that turns out to be huge. */
async function interrupt(machine: TestMachine): Promise<{ readonly runId: string; readonly file: string }> {
  const file = join(machine.workspace, "file");
  writeFileSync(file, "old");
  const engine = createTestEngine({ machine });
  const { runId } = await engine.start(
    { blocks: [{ id: "it", type: "CreateFile", inputs: { path: "file", content: "new" } }] },
    {
      onEvents(events) {
        if (events.some(({ type }) => type === "block-started")) engine.process.doom("after-append");
      },
    },
  );
  await waitFor("the process to die", () => engine.process.isDead);
  rmSync(file);
  makeSparse(file, huge);
  return { runId, file };
}

/** A journal that says that the file was as large before. */
function inflating(): TestMachine {
  const inflate = (event: RunEvent): RunEvent => {
    if (event.type !== "file-changed") return event;
    const changes = event.changes.map((change) =>
      change.kind === "write" && change.before.kind === "file"
        ? { ...change, before: { ...change.before, size: huge } }
        : change,
    );
    return { ...event, changes };
  };
  return createMachine(
    decorateJournal(createMemoryJournal(), async ({ name, perform }) => {
      const answer = await perform();
      return name === "read" ? (answer as RunEvent[]).map(inflate) : answer;
    }),
  );
}

describe.runIf(process.platform === "linux")("a huge file that an interrupted block was changing", () => {
  test("is not read when its size tells enough", async () => {
    const machine = createMachine();
    const { runId } = await interrupt(machine);
    const { response } = await (await createTestEngine({ machine }).takeOver(runId)).settled;
    expect(response).toMatchObject({ status: "paused", pending: [{ prompt: expect.stringContaining("'file'") }] });
  });

  test("keeps nobody from cancelling the run", async () => {
    const machine = inflating();
    const { runId, file } = await interrupt(machine);
    const run = await createTestEngine({ machine }).takeOver(runId);
    await untilOpened(file);
    await run.cancel();
    const { state } = await run.settled;
    expect(state.root.record.blocks.it?.metadata).toMatchObject({ status: "failed", message: "cancelled" });
  });

  test("keeps nobody from letting go of the run", async () => {
    const machine = inflating();
    const { runId, file } = await interrupt(machine);
    const run = await createTestEngine({ machine }).takeOver(runId);
    const stopped = expect(run.settled).rejects.toBeInstanceOf(RunStopped);
    await untilOpened(file);
    await run.driven.stop();
    await stopped;
    expect(await machine.journal.find(runId)).toMatchObject({ status: "running", fence: 2 });
  });
});
