import { expect, test } from "vitest";
import type { BlockForecast, VerdictWord } from "../views/dry-run.ts";
import { foldForecast } from "./fold-forecast.ts";

const reused = (block: string): BlockForecast => ({ block, verdict: "would be reused" });
const runs = (block: string, verdict: VerdictWord = "would run"): BlockForecast => ({ block, verdict });

test("what would be reused whole is one thing, and what stands beside it belongs to it", () => {
  const blocks = [
    reused("a"),
    reused("b"),
    { ...runs("call"), inputs: { workflow: "x" }, not_run: true as const },
    reused("call/one"),
    runs("call/deep"),
    reused("call/deep/two"),
    runs("half"),
    reused("half/one"),
    runs("half/two"),
    reused("c"),
    runs("empty"),
    runs("maybe", "may run"),
    reused("maybe/one"),
  ];
  expect(foldForecast(blocks)).toEqual([
    [reused("a"), reused("b"), reused("call")],
    [runs("half")],
    [reused("half/one")],
    [runs("half/two")],
    [reused("c")],
    [runs("empty")],
    [runs("maybe", "may run")],
    [reused("maybe/one")],
  ]);
});
