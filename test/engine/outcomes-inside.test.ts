import { expect, test } from "vitest";
import { call, ending } from "../rig/step-engine.ts";
import { handled, runBlocks, withUse } from "./run-blocks.ts";

test.each(["${blocks.d.blocks.x.failed}", "${blocks.d.blocks.x.code} != 0", "${blocks.d.blocks.x.metadata.failed}"])(
  "a condition that asks inside a nested workflow handles its failure: %s",
  async (condition) => {
    const child = { blocks: [ending("x", "fail")] };
    const { response } = await runBlocks(
      withUse("notify", call("d", "child"), ending("notify", "succeed", { condition, depends_on: ["d"] })),
      { child },
    );
    expect(response.status).toBe("success");
    expect(handled(response)).toEqual({ d: ["notify"] });
  },
);

test("a condition that asks for one failure inside a nested workflow answers no other in it", async () => {
  const child = { blocks: [ending("lint", "fail"), ending("test", "fail")] };
  const fix = (condition: string): object => ending("fix", "succeed", { condition, depends_on: ["ci"] });
  const outcome = async (condition: string): Promise<string> => {
    const { response } = await runBlocks(withUse("fix", call("ci", "child"), fix(condition)), { child });
    return response.status;
  };
  expect(await outcome("${blocks.ci.blocks.lint.failed}")).toBe("failure");
  expect(await outcome("${blocks.ci.blocks.lint.failed} and ${blocks.ci.blocks.test.failed}")).toBe("success");
  expect(await outcome("${blocks.ci.failed}")).toBe("success");
});

test("a failure inside a loop is handled by a condition that asks for one of its elements", async () => {
  const { response } = await runBlocks(
    withUse(
      "notify",
      { id: "d", type: "Step", for_each: ["succeed", "fail"], inputs: { ends: "${each.value}" } },
      ending("notify", "succeed", { condition: "${blocks.d.blocks['1'].code} != 0", depends_on: ["d"] }),
    ),
  );
  expect(handled(response)).toEqual({ d: ["notify"] });
});

test("a loop that runs because of a failure handles it, judged once or for each element", async () => {
  for (const condition of ["${blocks.a.failed}", "${blocks.a.failed} and ${each.index} == 1"]) {
    const { response } = await runBlocks(
      withUse(
        "notify",
        ending("a", "fail"),
        ending("notify", "succeed", { condition, depends_on: ["a"], for_each: [1, 2] }),
      ),
    );
    expect(handled(response), condition).toEqual({ a: ["notify"] });
  }
  const { response } = await runBlocks(
    withUse(
      "notify",
      ending("a", "fail"),
      ending("notify", "succeed", {
        condition: "${blocks.a.failed} and ${each.index} == 7",
        depends_on: ["a"],
        for_each: [1],
      }),
    ),
  );
  expect(response.status).toBe("failure");
});

test("failures handled inside a nested workflow are named with their address", async () => {
  const child = {
    blocks: withUse(
      "y",
      ending("x", "fail"),
      ending("y", "succeed", { depends_on: ["x"], condition: "${blocks.x.failed}" }),
    ),
  };
  const { response } = await runBlocks([call("d", "child")], { child });
  expect(response.status).toBe("success");
  expect(handled(response)).toEqual({ "d/x": ["y"] });
});

test.each([
  { inside: "succeed", status: "completed", outcome: "success" },
  { inside: "fail", status: "completed", outcome: "failure" },
  { inside: "crash", status: "failed", outcome: "n/a" },
] as const)("a nested workflow whose block ends as $inside is $status/$outcome, and so is a loop", async (row) => {
  const { inside, ...expected } = row;
  const { state } = await runBlocks(
    [call("nested", "child"), ending("loop", inside, { for_each: [1] }), ending("fine", "succeed", { for_each: [1] })],
    { child: { blocks: [ending("x", inside), ending("fine", "succeed")] } },
  );
  expect(state.root.record.blocks.nested?.metadata).toMatchObject(expected);
  expect(state.root.record.blocks.loop?.metadata).toMatchObject(expected);
  expect(state.finished).toMatchObject(expected);
});

test("a loop in which one element crashed and another failed is failed", async () => {
  const { state } = await runBlocks([
    { id: "loop", type: "Step", for_each: ["fail", "crash", "succeed"], inputs: { ends: "${each.value}" } },
  ]);
  expect(state.root.record.blocks.loop?.metadata).toMatchObject({
    status: "failed",
    outcome: "n/a",
    message: "'1' (crash) could not run: it broke",
  });
});

test.each([
  "${blocks.a.metadata.message} != null",
  "'wrong' in ${blocks.a.error}",
  "contains(blocks.a.error, 'wrong')",
  "keys(blocks.a.metadata) != [] and blocks.a.metadata.failed",
])("a block that runs because of a failure handles it, however it asks: %s", async (condition) => {
  const { response } = await runBlocks(
    withUse("tell", ending("a", "fail"), ending("tell", "succeed", { depends_on: ["a"], condition })),
  );
  expect(handled(response)).toEqual({ a: ["tell"] });
  expect(response.status).toBe("success");
});

test("what failed only because of something inside it is left out of the list of failed blocks", async () => {
  const { response } = await runBlocks([call("d", "child")], { child: { blocks: [ending("x", "fail")] } });
  expect(response.failed_blocks).toEqual([{ block: "d/x", message: "it went wrong" }]);
});
