import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";

const blocks = [{ id: "a", type: "Shell", inputs: { command: "touch $SCRATCH/x" } }];

test("the scratch directory goes when the run ends", async () => {
  const engine = createTestEngine();
  const { response } = await engine.run({ blocks });
  expect(response.status).toBe("success");
  expect(existsSync(join(engine.workspace, ".scratch"))).toBe(false);
});

test("a scratch directory that can't be removed costs a warning, not the result", async () => {
  const warnings: string[] = [];
  const engine = createTestEngine({
    onWarning: (message) => void warnings.push(message),
    createScratch: (workspace) => ({
      path: async () => workspace,
      remove: () => Promise.reject(new Error("the disk is gone")),
    }),
  });
  const { response } = await engine.run({ blocks });
  expect(response.status).toBe("success");
  expect(warnings).toEqual(["The run's scratch directory can't be removed: the disk is gone"]);
});
