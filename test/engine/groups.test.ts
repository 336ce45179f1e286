import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";

test("a group runs its blocks in the scope of the workflow around, and gives its outputs", async () => {
  const engine = createTestEngine();
  const { response } = await engine.run(
    {
      inputs: { packages: { type: "list", description: "Names" } },
      blocks: [
        { id: "prefix", type: "Shell", inputs: { command: "printf pre" } },
        {
          id: "each_package",
          for_each: "${inputs.packages}",
          max_parallel: 3,
          blocks: [
            {
              id: "install",
              type: "Shell",
              inputs: { command: "printf '%s-%s' ${blocks.prefix.stdout} ${each.value}" },
            },
            {
              id: "test",
              type: "Shell",
              inputs: { command: "printf '%s!' ${blocks.install.stdout}" },
              depends_on: ["install"],
            },
          ],
          outputs: { passed: "${blocks.test.succeeded}", said: "${blocks.test.stdout} ${each.key}" },
        },
      ],
      outputs: {
        all: "${blocks.each_package.outputs.results}",
        second: "${blocks.each_package.blocks['1'].blocks.test.outputs.stdout}",
      },
    },
    { inputs: { packages: ["a", "b"] } },
  );
  expect(response.status).toBe("success");
  expect(response.outputs).toEqual({
    all: [
      { passed: true, said: "pre-a! 0" },
      { passed: true, said: "pre-b! 1" },
    ],
    second: "pre-b!",
  });
});
