import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import { createRandom } from "../crash/random.ts";
import { createTestEngine } from "../rig/engine.ts";
import { isAlive } from "../rig/is-alive.ts";
import { createMachine } from "../rig/machine.ts";
import { memoryDirectory } from "../rig/memory-directory.ts";
import { longTimeout } from "../rig/scale.ts";
import { layOutTree, randomArea } from "./random-tree.ts";
import { compareSnapshots, takeSnapshot } from "./tree-snapshot.ts";

/** Between TERM and KILL. */
const graceMs = 300;

/** Writes into the workspace for ever, and stamps every write where nobody takes it back. */
function writeFor(name: string, stamps: string): string {
  return [
    `echo $BASHPID >> ${stamps}/${name}.pid`,
    "n=0",
    // Nobody ever writes here: to wait for it for a moment takes no process, as `sleep` would.
    "exec 9<> <(:)",
    `while :; do read -rt 0.005 -u 9; n=$((n+1)); printf $n > area/${name}-$((n%50)); printf '%s\\n' $EPOCHREALTIME >> ${stamps}/${name}.stamps; done`,
  ].join("; ");
}

/** In whole milliseconds, as the journal tells its times. */
function lastOf(stamps: readonly string[]): number {
  return Math.max(...stamps.map((line) => Math.floor(Number(line.replace(",", ".")) * 1000)));
}

test("nothing is written once everything is being taken back: eight writers, one deaf, one that has left its group", {
  timeout: longTimeout,
}, async () => {
  const stamps = mkdtempSync(join(tmpdir(), "frond-stamps-"));
  onTestFinished(() => rmSync(stamps, { recursive: true, force: true }));
  const machine = createMachine(createMemoryJournal(), memoryDirectory());
  const engine = createTestEngine({ graceMs, maxProcesses: 16, machine });
  layOutTree(engine.workspace, randomArea(createRandom(3), "area"));
  const before = takeSnapshot(engine.workspace);
  const observed = { type: "Shell", effects: "observe" };
  const writers: object[] = ["one", "two", "three"].map((name) => ({
    id: name,
    ...observed,
    inputs: { command: writeFor(name, stamps), shell: "bash" },
  }));
  const files = ["four", "five", "six"].map((name) => ({
    id: name,
    type: "CreateFile",
    inputs: { path: `area/${name}/\${each.index}`, content: "${each.value}" },
    for_each: Array.from({ length: 150 }, (_, index) => `value ${index}`),
    for_each_mode: "sequential",
  }));
  const deaf = {
    id: "deaf",
    ...observed,
    inputs: { command: `trap '' TERM; ${writeFor("deaf", stamps)}`, shell: "bash" },
  };
  const daemon = `setsid bash -c ${JSON.stringify(writeFor("daemon", stamps)).replaceAll("$", "\\$")} > /dev/null 2>&1 &`;
  const left = { id: "left", ...observed, inputs: { command: `(${daemon})\nsleep 600`, shell: "bash" } };
  // It fails when all of them have begun.
  const begun = ["one", "two", "three", "deaf", "daemon"].map((name) => `[ -s ${stamps}/${name}.stamps ]`).join(" && ");
  const failing = {
    id: "fail",
    type: "Shell",
    inputs: { command: `until ${begun} && [ -e area/four/3 ]; do sleep 0.02; done; exit 1`, shell: "bash" },
    on_failure: "rollback",
  };
  const { state } = await engine.run({ blocks: [...writers, ...files, deaf, left, failing] });
  expect(state.root.record.metadata).toMatchObject({ rollback: { state: "complete", conflicts: [] } });
  const undoRun = String((state.root.record.metadata.rollback as { undo_run: string }).undo_run);
  const [began] = await (await engine.engine.platform.journal()).read(undoRun);
  const undoneSince = began?.type === "run-started" ? Date.parse(began.at) : Number.NaN;
  const lines = (file: string): string[] => readFileSync(join(stamps, file), "utf8").trimEnd().split("\n");
  const last = Object.fromEntries(
    readdirSync(stamps)
      .filter((file) => file.endsWith(".stamps"))
      .map((file) => [file, lastOf(lines(file))]),
  );
  expect(Object.keys(last)).toHaveLength(5);
  for (const [file, stamp] of Object.entries(last)) {
    expect(stamp, `${file} after the undo has begun`).toBeLessThanOrEqual(undoneSince);
  }
  for (const name of readdirSync(stamps).filter((file) => file.endsWith(".pid"))) {
    for (const pid of lines(name)) expect(isAlive(Number(pid)), `${name} is left`).toBe(false);
  }
  expect(compareSnapshots(before, takeSnapshot(engine.workspace))).toEqual([]);
});
