import { expect, test } from "vitest";
import { call, createStepEngine, step } from "../../test/rig/step-engine.ts";
import { findBlock, holdsBlocks, mayCome } from "./find-block.ts";

const child = { blocks: [step("inner")] };
const blocks = [
  step("first"),
  call("sub", "child", {}, { depends_on: ["first"] }),
  step("loop", { for_each: [1, 2], depends_on: ["first"] }),
];

test("a block inside another may come until that one has ended; nothing ever comes inside a block that does something itself", async () => {
  const { engine, steps } = createStepEngine({ workflows: { child } });
  const run = await engine.start({ blocks });
  await run.idle();
  const may = (...paths: readonly string[]): boolean[] => paths.map((path) => mayCome(run.state, path));
  expect(may("sub/inner", "sub/inner/deeper", "loop/1", "first/x", "other/x", "other")).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  steps.succeed("first");
  await run.idle();
  steps.succeed("sub/inner");
  await run.idle();
  expect(may("sub/other", "loop/7")).toEqual([false, true]);
  steps.succeed("loop/0");
  steps.succeed("loop/1");
  await run.settled;
});

test("loops and other workflows hold blocks, also before they have started; a pass of a loop does not by itself", async () => {
  const { engine, steps } = createStepEngine({ workflows: { child } });
  const run = await engine.start({ blocks });
  await run.idle();
  const holds = (path: string): boolean => {
    const found = findBlock(run.state, path);
    return found.ok && holdsBlocks(found.value);
  };
  expect(["first", "sub", "loop"].map(holds)).toEqual([false, true, true]);
  steps.succeed("first");
  await run.idle();
  expect(["loop/0", "sub/inner"].map(holds)).toEqual([false, false]);
  expect(findBlock(run.state, "")).toMatchObject({ ok: false, error: { code: "unknown-block" } });
});
