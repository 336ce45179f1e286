import { expect, onTestFinished, test } from "vitest";
import { isLeaf } from "../../src/engine/run-node.ts";
import { longTimeout } from "../rig/scale.ts";
import { CaseGround } from "./open-case.ts";
import { type CaseLimits, makeCase } from "./undo-case.ts";

/** Nothing that takes anything back by itself: only what is done before is looked at here. */
const limits: CaseLimits = { kinds: ["undo"], effects: ["observe"], mayRestore: false };

test("workflows made by chance are accepted, and do much that can be taken back", {
  timeout: longTimeout,
}, async () => {
  const ground = new CaseGround();
  onTestFinished(() => ground.close());
  const counts = { succeeded: 0, others: 0 };
  const types = new Set<string>();
  for (let seed = 1; seed <= 12; seed++) {
    const made = makeCase(seed, limits);
    expect(makeCase(seed, limits)).toEqual(made);
    const { engine, close } = ground.open(made);
    const { state } = await engine.run(made.root);
    for (const node of state.nodes.values()) {
      if (!isLeaf(node)) continue;
      const { succeeded } = node.record.metadata;
      counts[succeeded ? "succeeded" : "others"]++;
      if (succeeded) types.add(node.block?.definition.type.type ?? "");
    }
    await close();
  }
  expect(counts.succeeded).toBeGreaterThan(6 * counts.others);
  expect([...types]).toEqual(
    expect.arrayContaining(["CreateFile", "EditFile", "DeleteFile", "MoveFile", "CopyFile", "MakeDir", "Shell"]),
  );
});
