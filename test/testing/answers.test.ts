import { describe, expect, test } from "vitest";
import { shell } from "../rig/frond.ts";
import { mismatchesOf, type Tested } from "../rig/test-files.ts";

const tested: Tested = {
  workflow: {
    blocks: [
      {
        id: "approve",
        type: "Prompt",
        inputs: { prompt: "Deploy to production?", audience: "human", choices: ["yes", "no"] },
      },
      {
        id: "count",
        type: "Prompt",
        inputs: { prompt: "How many?", schema: { type: "integer" } },
        depends_on: ["approve"],
        condition: "${blocks.approve.response} == 'yes'",
      },
      shell("deploy", "echo deployed", { depends_on: ["count"] }),
    ],
    outputs: { approved: "${blocks.approve.response}", count: "${blocks.count.response}" },
  },
};

const first = { block: "approve", prompt: { contains: "production" }, audience: "human" };

describe("answers", () => {
  test("are given to questions by the address of the block, also to those that are for a person", async () => {
    expect(
      await mismatchesOf(tested, {
        answers: { approve: "yes", count: 3 },
        expect: { outputs: { approved: "yes", count: 3 }, prompts: [first, { block: "count", prompt: "How many?" }] },
      }),
    ).toEqual([]);
  });

  test("that lead elsewhere leave other questions unasked", async () => {
    expect(
      await mismatchesOf(tested, {
        answers: { approve: "no", count: 3 },
        expect: { outputs: { count: null }, prompts: [first], blocks: { count: "skipped", deploy: "skipped" } },
      }),
    ).toEqual([]);
  });

  test("of a list are given one after the other until one is taken", async () => {
    const answers = { approve: ["perhaps", "yes"], count: 3 };
    expect(await mismatchesOf(tested, { answers, expect: { outputs: { approved: "yes" } } })).toEqual([]);
  });

  test("of a list serve one loop", async () => {
    const loop = {
      id: "ask",
      type: "Prompt",
      for_each: ["a", "b"],
      for_each_mode: "sequential",
      inputs: { prompt: "${each.value}?" },
    };
    const workflow = { blocks: [loop], outputs: { said: "${blocks.ask.results}" } };
    const said = [{ response: "first" }, { response: "second" }];
    const expected = { outputs: { said }, prompts: [{ prompt: "a?" }, { prompt: "b?" }] };
    expect(await mismatchesOf({ workflow }, { answers: { "ask/*": ["first", "second"] }, expect: expected })).toEqual(
      [],
    );
    expect(
      await mismatchesOf({ workflow }, { answers: { "ask/0": "first", "ask/*": "second" }, expect: expected }),
    ).toEqual([]);
  });

  test("that are refused are told", async () => {
    expect(await mismatchesOf(tested, { answers: { approve: "perhaps" }, expect: { status: "paused" } })).toEqual([
      { at: "answers.approve", found: "perhaps", message: expect.stringContaining("yes") },
    ]);
  });

  test("that are missing leave the run paused", async () => {
    expect(
      await mismatchesOf(tested, {
        expect: { status: "paused", blocks: { approve: "paused", deploy: "not_run" }, prompts: [first] },
      }),
    ).toEqual([]);
    expect(await mismatchesOf(tested, { answers: { approve: "yes" } })).toEqual([
      { at: "status", expected: "success", found: "paused", message: "'count' asks: How many?" },
    ]);
  });

  test("to questions that nobody asks are told by their address", async () => {
    const answers = { aprove: "yes", approve: "no" };
    expect(await mismatchesOf(tested, { answers })).toEqual([
      { at: "answers.aprove", message: "There is no block 'aprove' in the workflow. Did you mean 'approve'?" },
    ]);
  });
});

test("questions other than those that are expected are told", async () => {
  const found = [{ block: "approve", prompt: "Deploy to production?", audience: "human" }];
  expect(await mismatchesOf(tested, { answers: { approve: "no" }, expect: { prompts: [] } })).toEqual([
    { at: "prompts", expected: [], found },
  ]);
  expect(await mismatchesOf(tested, { answers: { approve: "no" }, expect: { prompts: [{ block: "x" }] } })).toEqual([
    { at: "prompts[0].block", expected: "x", found: "approve" },
  ]);
});
