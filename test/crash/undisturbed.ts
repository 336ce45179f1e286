import type { BlockResult, BlockType } from "../../src/block/define-block.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import { idempotencyKey } from "../../src/engine/ids.ts";
import { restoreState } from "../../src/engine/restore-state.ts";
import { questionOf } from "../../src/engine/run-node.ts";
import type { RunState } from "../../src/engine/state.ts";
import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import { answerQuestion } from "../../src/runs/answer-question.ts";
import { startRun } from "../../src/runs/start-run.ts";
import { unwrap } from "../rig/unwrap.ts";
import { createCrashEngine } from "./crash-engine.ts";
import { answerTo, createEffectType } from "./effect.ts";
import type { CaseWorkflows } from "./protocol.ts";

/** The end of a run in which nothing is ever interrupted, with some of its blocks ending as was decided for them. */
export async function runUndisturbed(
  workflows: CaseWorkflows,
  workspace: string,
  decided: ReadonlyMap<string, BlockResult | Error>,
): Promise<RunState> {
  const types = [...blockTypes, createEffectType({ effect() {}, lifeMs: () => 0 })];
  const obedient = types.map((type) => obey(type, decided));
  const journal = createMemoryJournal();
  const { engine, plan } = createCrashEngine(workflows, obedient, { journal: async () => journal });
  const listener = { onEvents() {}, onOutput() {} };
  const started = await startRun(engine, plan, { inputs: {}, workspace, ...listener });
  if (!started.ok) throw new Error(`The run is refused: ${JSON.stringify(started.error)}`);
  const { runId } = started.value;
  for (let run = started.value; ; ) {
    await run.settled();
    const state = unwrap(await restoreState(await journal.read(runId), engine.workflows.catalog));
    if (state.finished !== undefined) return state;
    const [waiting] = [...state.questions.values()].map(questionOf);
    if (waiting === undefined) throw new Error("The run waits for nothing.");
    const answer = { value: answerTo(waiting.question.text), by: "rig", isHuman: true };
    const answered = await answerQuestion(engine, waiting.id, answer, listener);
    if (!answered.ok || answered.value.kind !== "driven") throw new Error(`${waiting.id} can't be answered.`);
    run = answered.value.run;
  }
}

/** Its blocks end as was decided for them, without doing anything. */
function obey(type: BlockType, decided: ReadonlyMap<string, BlockResult | Error>): BlockType {
  const { behaviour } = type;
  if (behaviour.kind !== "leaf") return type;
  return {
    ...type,
    behaviour: {
      ...behaviour,
      async run(input, context) {
        const { runId, idempotencyKey: key } = context;
        const [, end] = [...decided].find(([address]) => idempotencyKey(runId, address) === key) ?? [];
        if (end instanceof Error) throw end;
        return end ?? behaviour.run(input, context);
      },
    },
  };
}
