import { expect, test } from "vitest";
import type { BlockForecast, VerdictWord } from "../../views/dry-run.ts";
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
  const told = foldForecast(blocks).map(({ kind, blocks: together }) => [kind, ...together]);
  expect(told).toEqual([
    ["reused", reused("a"), reused("b"), reused("call")],
    ["alone", runs("half")],
    ["reused", reused("half/one")],
    ["alone", runs("half/two")],
    ["reused", reused("c")],
    ["alone", runs("empty")],
    ["alone", runs("maybe", "may run")],
    ["reused", reused("maybe/one")],
  ]);
});

test("passes that would run for the reasons of the pass before them are one thing, with all that is in them", () => {
  const pass = (index: number, reason: string): BlockForecast[] => [
    { ...runs(`loop/${index}`), element: index },
    { ...runs(`loop/${index}/in`), not_reused: reason },
  ];
  const blocks = [runs("loop"), ...[0, 1, 2].flatMap((index) => pass(index, "same")), ...pass(3, "other"), runs("b")];
  const told = foldForecast(blocks).map(({ kind, blocks: together }) => [kind, ...together.map(({ block }) => block)]);
  expect(told).toEqual([
    ["alone", "loop"],
    ["alone", "loop/0"],
    ["alone", "loop/0/in"],
    ["alike", "loop/1", "loop/2"],
    ["alone", "loop/3"],
    ["alone", "loop/3/in"],
    ["alone", "b"],
  ]);
});

test("where nothing is said of reuse, every pass is told of", () => {
  const blocks = [0, 1].map((index) => ({ ...runs(`loop/${index}`), element: index }));
  expect(foldForecast(blocks)).toHaveLength(2);
});
