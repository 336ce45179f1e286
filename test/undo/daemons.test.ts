import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { isAlive } from "../rig/is-alive.ts";

/** Leaves its session, so that nothing but its environment tells whose it is. */
function daemon(id: string): object {
  const command = `(setsid sleep 600 > /dev/null 2>&1 & echo $! > ${id}.pid); until [ -s ${id}.pid ]; do :; done`;
  return { id, type: "Shell", inputs: { command, shell: "bash" } };
}

const failing = { id: "fail", type: "DeleteFile", inputs: { path: "nothing" } };

function pidOf({ workspace }: TestEngine, id: string): number {
  const pid = Number(readFileSync(join(workspace, `${id}.pid`), "utf8"));
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  return pid;
}

test("a daemon that a run has left ends before the run is rolled back", async () => {
  const engine = createTestEngine();
  await engine.run({
    blocks: [daemon("left"), { ...failing, depends_on: ["left"], on_failure: "rollback" }],
  });
  expect(isAlive(pidOf(engine, "left"))).toBe(false);
});

test("of daemons only those end that were left by the part which is rolled back", async () => {
  const engine = createTestEngine();
  const group = {
    id: "group",
    depends_on: ["other"],
    on_failure: "rollback_block",
    blocks: [daemon("left"), { ...failing, depends_on: ["left"] }],
  };
  await engine.run({ blocks: [daemon("other"), group] });
  expect(isAlive(pidOf(engine, "left"))).toBe(false);
  expect(isAlive(pidOf(engine, "other"))).toBe(true);
});
