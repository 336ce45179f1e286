import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { shell } from "../rig/frond.ts";

test("until reads each of the pass that has just ended, and the pass before it", async () => {
  const engine = createTestEngine();
  const { response } = await engine.run({
    blocks: [
      shell("poll", "echo ${each.index}", {
        repeat: { max: 5, until: "${each.index} == 2 and ${trim(each.previous.stdout)} == '1'" },
      }),
    ],
    outputs: { passes: "${blocks.poll.outputs.count}" },
  });
  expect(response).toMatchObject({ status: "success", outputs: { passes: 3 } });
});
