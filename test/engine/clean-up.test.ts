import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { collectGarbage } from "../../src/runs/collect-garbage.ts";
import { createTestEngine } from "../rig/engine.ts";
import { rerunHere } from "../rig/rerun-here.ts";

const blocks = [{ id: "a", type: "Shell", inputs: { command: "touch $SCRATCH/x" } }];

test("the scratch directory goes when the run ends", async () => {
  const engine = createTestEngine();
  const { response } = await engine.run({ blocks });
  expect(response.status).toBe("success");
  expect(existsSync(join(engine.workspace, ".scratch"))).toBe(false);
});

test("that of a run that failed is kept if anything is in it, a rerun begins with a copy, and gc removes it", async () => {
  const engine = createTestEngine();
  const make = {
    id: "make",
    type: "Shell",
    inputs: { command: "mkdir $SCRATCH/d && echo made > $SCRATCH/d/x && ln -s d/x $SCRATCH/l" },
  };
  const use = {
    id: "use",
    type: "Shell",
    inputs: { command: "cat $SCRATCH/l && test -e fixed" },
    depends_on: ["make"],
  };
  const first = await engine.run({ blocks: [make, use] });
  expect(first.response.status).toBe("failure");
  writeFileSync(join(engine.workspace, "fixed"), "");
  const { runId } = first.state.started;
  const again = await rerunHere(engine.engine, runId, { onEvents() {}, onOutput() {}, trust: "any-file" });
  if (!again.ok) throw new Error(again.error[0]?.message);
  await again.value.run.settled();
  const state = await again.value.run.inspect((ended) => ended);
  expect(state.finished?.outcome).toBe("success");
  expect(state.nodes.get("make")?.record.metadata.reused).toBe(true);
  expect(state.nodes.get("use")?.record.outputs.stdout).toBe("made\n");
  expect(readdirSync(join(engine.workspace, ".scratch")).filter((name) => name !== ".gitignore")).toEqual([runId]);
  await collectGarbage(engine.engine.platform, { maxAgeMs: -1, maxBytes: 0, isDryRun: false });
  expect(existsSync(join(engine.workspace, ".scratch"))).toBe(false);
});

test("a run that failed and left nothing in it leaves no directory", async () => {
  const engine = createTestEngine();
  const { response } = await engine.run({
    blocks: [{ id: "a", type: "Shell", inputs: { command: "ls $SCRATCH; exit 1" } }],
  });
  expect(response.status).toBe("failure");
  expect(existsSync(join(engine.workspace, ".scratch"))).toBe(false);
});

test("a scratch directory that can't be removed costs a warning, not the result", async () => {
  const warnings: string[] = [];
  const engine = createTestEngine({
    onWarning: (message) => void warnings.push(message),
    createScratch: (workspace) => ({
      path: async () => workspace,
      take: async () => undefined,
      remove: () => Promise.reject(new Error("the disk is gone")),
      write: () => Promise.reject(new Error("Nothing is written here.")),
      removeIfEmpty: async () => {},
    }),
  });
  const { response } = await engine.run({ blocks });
  expect(response.status).toBe("success");
  expect(warnings).toEqual(["The run's scratch directory can't be removed: the disk is gone"]);
});
