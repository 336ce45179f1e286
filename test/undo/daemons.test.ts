import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { isAlive } from "../rig/is-alive.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";

/** Leaves its session, so that nothing but its environment tells whose it is. */
function daemon({ stateDirectory }: TestMachine, id: string): object {
  // Where nothing is taken back.
  const file = `${stateDirectory}/${id}.pid`;
  const command = `setsid sh -c 'echo $$ > ${file}; exec sleep 600' > /dev/null 2>&1 & until [ -s ${file} ]; do sleep 0.01; done`;
  return { id, type: "Shell", inputs: { command, shell: "bash" } };
}

const failing = { id: "fail", type: "DeleteFile", inputs: { path: "nothing" } };

function pidOf({ stateDirectory }: TestMachine, id: string): number {
  const pid = Number(readFileSync(join(stateDirectory, `${id}.pid`), "utf8"));
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  return pid;
}

test("a daemon that a run has left ends before the run is rolled back", async () => {
  const machine = createMachine();
  const engine = createTestEngine({ machine });
  await engine.run({
    blocks: [daemon(machine, "left"), { ...failing, depends_on: ["left"], on_failure: "rollback" }],
  });
  expect(isAlive(pidOf(machine, "left"))).toBe(false);
});

test("of daemons only those end that were left by the part which is rolled back", async () => {
  const machine = createMachine();
  const engine = createTestEngine({ machine });
  const group = {
    id: "group",
    depends_on: ["other"],
    on_failure: "rollback_block",
    blocks: [daemon(machine, "left"), { ...failing, depends_on: ["left"] }],
  };
  await engine.run({ blocks: [daemon(machine, "other"), group] });
  expect(isAlive(pidOf(machine, "left"))).toBe(false);
  expect(isAlive(pidOf(machine, "other"))).toBe(true);
});
