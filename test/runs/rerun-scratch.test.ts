import { expect, test } from "vitest";
import { describeReuse, type ReuseData } from "../../src/views/describe-reuse.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { rerunHere } from "../rig/rerun-here.ts";

function shell(id: string, command: string, more: object = {}): object {
  return { id, type: "Shell", inputs: { command }, ...more };
}

const make = shell("make", 'echo made > "$SCRATCH/file"');

async function rerun(engine: TestEngine, runId: string, blocks: readonly object[]): Promise<ReuseData> {
  const listener = { onEvents() {}, onOutput() {} };
  const workflow = engine.check({ blocks });
  const begun = await rerunHere(engine.engine, runId, { ...listener, trust: "any-file", workflow });
  if (!begun.ok) throw new Error(begun.error.map(({ message }) => message).join("\n"));
  await begun.value.run.settled();
  const { outcome, ...reuse } = await begun.value.run.inspect((state) => ({
    outcome: state.finished?.outcome,
    ...describeReuse(state),
  }));
  expect(outcome).toBe("success");
  return reuse;
}

test("what one command left to another in the scratch directory is made again once that is gone", async () => {
  const engine = createTestEngine();
  const use = (command: string): object => shell("use", command, { depends_on: ["make"] });
  const first = await engine.run({ blocks: [make, use('cat "$SCRATCH/file"'), shell("beside", "true")] });
  expect(first.response.status).toBe("success");
  const { runId } = first.state.started;
  expect(await rerun(engine, runId, [make, use('cat "$SCRATCH/file" -'), shell("beside", "true")])).toMatchObject({
    reused: ["beside"],
    not_reused: { make: "A file that it read or wrote has changed.", use: "Its definition has changed." },
  });
});

test("a command that alone uses the scratch directory is reused: all that is needed of it was read", async () => {
  const engine = createTestEngine();
  const report = { report: { type: "str", path: "$SCRATCH/file" } };
  const blocks = [{ ...make, outputs: report }, shell("use", "echo ${blocks.make.report}")];
  const first = await engine.run({ blocks });
  expect(await rerun(engine, first.state.started.runId, blocks)).toMatchObject({ reused: ["make", "use"] });
});
