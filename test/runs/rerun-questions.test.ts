import { expect, test } from "vitest";
import type { RerunOptions } from "../../src/runs/rerun-run.ts";
import type { TestEngine, Written } from "../rig/engine.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";
import { rerunHere } from "../rig/rerun-here.ts";
import { call, createStepEngine, giving } from "../rig/step-engine.ts";

const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Deploy?", audience: "human" }, depends_on: ["build"] };

/** What is called is known only when it is called. */
const approved = {
  inputs: { which: { type: "string", description: "What deploys", default: "deploy" } },
  blocks: [giving("build", 1), ask, call("go", "${inputs.which}", {}, { depends_on: ["ask"] })],
};

function open(machine: TestMachine, deploy: Written): TestEngine {
  return createStepEngine({ machine, workflows: { deploy } }).engine;
}

async function answeredRun(engine: TestEngine): Promise<string> {
  const run = await engine.start(approved);
  await run.settled;
  await run.answer("ask", "yes");
  expect((await run.goOn()).response.status).toBe("success");
  return run.runId;
}

async function rerun(engine: TestEngine, runId: string, how: Partial<RerunOptions> = {}): Promise<[string, string]> {
  const listener = { onEvents() {}, onOutput() {} };
  const workflow = how.frozen ? undefined : engine.check(approved);
  const begun = await rerunHere(engine.engine, runId, { ...listener, trust: "any-file", workflow, ...how });
  if (!begun.ok) throw new Error(begun.error.map(({ message }) => message).join("\n"));
  return [begun.value.run.runId, await begun.value.run.settled()];
}

test("a person is asked again when a workflow that is called by a computed name has changed or is gone", async () => {
  const machine = createMachine();
  const runId = await answeredRun(open(machine, { blocks: [giving("deploy", "carefully")] }));
  const changed = open(machine, { blocks: [giving("deploy", "at once")] });
  expect((await rerun(changed, runId))[1]).toBe("paused");
  const gone = createStepEngine({ machine }).engine;
  expect((await rerun(gone, runId))[1]).toBe("paused");
});

test("where it says the same, nobody is asked, in a rerun of the rerun either", async () => {
  const machine = createMachine();
  const engine = open(machine, { blocks: [giving("deploy", "carefully")] });
  const [first, ended] = await rerun(engine, await answeredRun(engine), { from: "go" });
  expect(ended).toBe("finished");
  expect((await rerun(engine, first, { from: "go" }))[1]).toBe("finished");
});

test("with the texts as they were, what a person answered counts, also in a rerun of a rerun and from a later block on", async () => {
  const machine = createMachine();
  const engine = open(machine, { blocks: [giving("deploy", "carefully")] });
  const [first, ended] = await rerun(engine, await answeredRun(engine), { frozen: true, from: "go" });
  expect(ended).toBe("finished");
  const [second] = await rerun(engine, first, { frozen: true, from: "go/deploy" });
  expect((await rerun(engine, second, { frozen: true }))[1]).toBe("finished");
});
