import { expect, onTestFinished, test } from "vitest";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import { takeWhenDue } from "../../src/runs/take-when-due.ts";
import { scratchDirectory } from "../journal/scratch-directory.ts";
import { decorateJournal } from "../rig/decorate-journal.ts";
import { createTestEngine } from "../rig/engine.ts";
import { createMachine } from "../rig/machine.ts";
import { makeOverdue } from "../rig/sleeping-run.ts";

test("what another process changes just after a look at a run that sleeps is seen at once, not at the next look", async () => {
  const state = scratchDirectory();
  const sqlite = await openSqliteJournal(state);
  onTestFinished(() => sqlite.close());
  let isArmed = false;
  const journal = decorateJournal(sqlite, ({ name, given: [runId], perform }) => {
    const answer = perform();
    if (name !== "find" || !isArmed) return answer;
    isArmed = false;
    return (answer as Promise<unknown>).then((summary) => {
      makeOverdue({ state }, String(runId));
      return summary;
    });
  });
  const engine = createTestEngine({ machine: createMachine(journal) });
  const { runId, settled } = await engine.start({
    blocks: [{ id: "wait", type: "Wait", inputs: { duration: "2h" } }],
  });
  await settled;
  isArmed = true;
  // Half of the time between two looks.
  const late = AbortSignal.timeout(30_000);
  const taken = await takeWhenDue(engine.engine, runId, { onEvents() {}, onOutput() {} }, late);
  expect(await taken?.settled()).toBe("finished");
});
