import { expect, test } from "vitest";
import { shell } from "../rig/frond.ts";
import { mismatchesOf, type Tested } from "../rig/test-files.ts";

const packages = {
  id: "each_package",
  for_each: ["leaf", "stem"],
  for_each_mode: "sequential",
  blocks: [
    shell("install", 'touch "${each.value}"; echo real'),
    shell("test", 'echo "${blocks.install.stdout}"', { depends_on: ["install"] }),
    { id: "ask", type: "Prompt", inputs: { prompt: "Ship ${each.value}?" }, depends_on: ["test"] },
  ],
  outputs: { said: "${blocks.test.stdout}", answer: "${blocks.ask.response}" },
};
const tested: Tested = {
  workflow: { blocks: [packages], outputs: { all: "${blocks.each_package.results}" } },
};
const answers = { "each_package/*/ask": "yes" };

test("blocks in a group are mocked, answered and expected by their addresses", async () => {
  expect(
    await mismatchesOf(tested, {
      answers,
      mocks: { "each_package/1/install": { outputs: { stdout: "mocked" } } },
      expect: {
        outputs: {
          all: [
            { said: "real\n\n", answer: "yes" },
            { said: "mocked\n", answer: "yes" },
          ],
        },
        blocks: { "each_package/1/test": { outputs: { stdout: "mocked\n" } }, "each_package/*/ask": "succeeded" },
        prompts: [
          { block: "each_package/0/ask", prompt: "Ship leaf?" },
          { block: "each_package/1/ask", prompt: "Ship stem?" },
        ],
        files: { leaf: "", stem: "absent" },
      },
    }),
  ).toEqual([]);
});

test("a mock can take the place of a whole group, and what is in it does not run", async () => {
  expect(
    await mismatchesOf(tested, {
      mocks: { "each_package/*": { outputs: { said: "nothing" } } },
      expect: {
        outputs: {
          all: [
            { said: "nothing", answer: null },
            { said: "nothing", answer: null },
          ],
        },
        blocks: { "each_package/0/install": "not_run" },
        files: { leaf: "absent" },
      },
    }),
  ).toEqual([]);
});

test("an address that means no block of the group is told", async () => {
  expect(await mismatchesOf(tested, { answers, mocks: { "each_package/0/instal": { outputs: {} } } })).toEqual([
    {
      at: 'mocks["each_package/0/instal"]',
      message: "There is no block 'instal' in 'each_package/0'. Did you mean 'install'?",
    },
  ]);
});
