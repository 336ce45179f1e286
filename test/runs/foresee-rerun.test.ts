import { expect, test } from "vitest";
import type { ValueMap } from "../../src/expression/value.ts";
import { foreseeRerun } from "../../src/runs/rerun-run.ts";
import { ok } from "../../src/util/result.ts";
import { describeDryRun } from "../../src/views/dry-run.ts";
import { createTestEngine, type TestEngine, type Written } from "../rig/engine.ts";
import { forecastOf } from "../rig/foresee.ts";
import { rerunHere } from "../rig/rerun-here.ts";

const shell = (id: string, command: string, more: object = {}): object => ({
  id,
  type: "Shell",
  inputs: { command },
  ...more,
});

/** A loop, a group, a file and a failure; `last` is what is fixed. */
const written = (last: string): Written => ({
  inputs: { list: { type: "array", default: ["a", "b"] } },
  blocks: [
    shell("first", "echo one"),
    { id: "file", type: "CreateFile", inputs: { path: "out", content: "${blocks.first.stdout}" } },
    { id: "each", type: "Shell", for_each: "${inputs.list}", inputs: { command: "echo ${each.value}" } },
    { id: "group", blocks: [shell("inner", "echo ${blocks.first.stdout}"), shell("last", last)] },
    shell("after", "echo ${blocks.group.blocks.inner.outputs.stdout}", { depends_on: ["group"] }),
  ],
  finally: [shell("clean", "true")],
});

async function compare(
  engine: TestEngine,
  runId: string,
  text: Written,
  how: { readonly from?: string; readonly inputs?: ValueMap },
): Promise<ReturnType<typeof describeDryRun>> {
  const { from, inputs = {} } = how;
  const options = { from, workflow: engine.check(text), inputs: () => ok(inputs), trust: "any-file" } as const;
  const foreseen = await foreseeRerun(engine.engine, runId, { ...options, signal: new AbortController().signal });
  if (!foreseen.ok) throw new Error(foreseen.error.map(({ message }) => message).join(" "));
  const forecast = describeDryRun(foreseen.value.dryRun);
  const again = await rerunHere(engine.engine, runId, { ...options, onEvents() {}, onOutput() {} });
  if (!again.ok) throw new Error(again.error.map(({ message }) => message).join(" "));
  await again.value.run.settled();
  const leaves = await again.value.run.inspect(({ nodes }) =>
    [...nodes.values()].filter(({ inside, parent }) => inside.kind === "leaf" && parent !== undefined),
  );
  const happened = leaves.map(({ path, record }) => [path, record.metadata.reused === true]);
  const foretold = leaves.map(({ path }) => [path, forecastOf(forecast, path).verdict === "would be reused"]);
  expect(foretold).toEqual(happened);
  return forecast;
}

test("the plan of a rerun tells what it reuses, and why not the rest", async () => {
  const engine = createTestEngine();
  const { state } = await engine.run(written("false"));
  const { runId } = state.started;
  const fixed = await compare(engine, runId, written("true"), {});
  expect(fixed.blocks.map(({ block, verdict, not_reused: why }) => [block, verdict, ...(why ? [why] : [])])).toEqual([
    ["first", "would be reused"],
    ["file", "would be reused"],
    ["each", "would run"],
    ["each/0", "would be reused"],
    ["each/1", "would be reused"],
    ["group", "would run"],
    ["group/inner", "would be reused"],
    ["group/last", "would run", "It failed before."],
    ["after", "would run", "It was skipped before."],
    ["clean", "would run", expect.stringContaining("It is under `finally`")],
  ]);
  expect(forecastOf(fixed, "after").inputs).toEqual({ command: "echo one\n\n" });
  await compare(engine, runId, written("true"), { from: "first" });
  await compare(engine, runId, written("true"), { inputs: { list: ["c", "a"] } });
});
