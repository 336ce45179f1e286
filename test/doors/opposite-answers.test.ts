import { expect, test } from "vitest";
import { resumeWorkflow } from "../../src/mcp/tools/resume-workflow.ts";
import { createFrond, workflow } from "../rig/frond.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";
import { createTestServer, type TestServer } from "../rig/server-context.ts";
import { createStepEngine, ending } from "../rig/step-engine.ts";

const answers = Array.from({ length: 20 }, (_, number) => `answer ${number}`);

interface AskingRun {
  readonly machine: TestMachine;
  /** In processes of their own. */
  readonly servers: readonly TestServer[];
  readonly runId: string;
  readonly questionId: string;
}

/** A run that waits for an answer, and that no process holds. */
async function startAsking(): Promise<AskingRun> {
  const machine = createMachine();
  const { engine } = createStepEngine({ machine });
  const { state } = await engine.run({ blocks: [ending("ask", "pause")] });
  const servers = [1, 2].map(() => createTestServer(createStepEngine({ machine }).engine));
  const [questionId = ""] = [...state.questions.keys()];
  return { machine, servers, runId: state.started.runId, questionId };
}

/** Everybody at the same time. */
function giveAll<T>({ servers }: AskingRun, give: (server: TestServer, answer: string) => Promise<T>): Promise<T[]> {
  return Promise.all(answers.map((answer, number) => give(servers[number % servers.length] as TestServer, answer)));
}

async function takenAnswers({ machine, runId }: AskingRun): Promise<unknown[]> {
  return (await machine.journal.read(runId)).flatMap((event) =>
    event.type === "question-answered" ? [event.answer] : [],
  );
}

test("of opposite answers at the same time over HTTP one is taken, and all others are told which", async () => {
  const run = await startAsking();
  const told = await giveAll(run, (server, answer) =>
    server.ask("POST", `/runs/${run.runId}/answers`, { question: run.questionId, answer }),
  );
  const [taken, ...more] = await takenAnswers(run);
  expect(more).toEqual([]);
  const accepted = answers.filter((_, number) => told[number]?.status === 200);
  expect(accepted).toEqual([taken]);
  const refused = told.filter(({ status }) => status !== 200);
  for (const { status, data } of refused) {
    expect([status, JSON.stringify(data)]).toEqual([409, expect.stringContaining(`'${taken}' (given by web page)`)]);
  }
});

test("of opposite answers of models at the same time one is taken, and all others are told which", async () => {
  const run = await startAsking();
  const told = await giveAll(run, (server, response) =>
    server.call(resumeWorkflow, { checkpoint_id: run.questionId, response }),
  );
  const [taken, ...more] = await takenAnswers(run);
  expect(more).toEqual([]);
  const accepted = answers.filter((_, number) => !String(told[number].message).includes("Already answered"));
  expect(accepted).toEqual([taken]);
  const refused = told.filter(({ message }) => String(message).includes("Already answered"));
  for (const { message } of refused) expect(message).toContain(`'${taken}' (given by model)`);
});

test("of opposite answers on the command line at the same time one is taken, and all others are told which", async () => {
  const frond = createFrond({
    "ask.yaml": workflow("ask", [{ id: "ask", type: "Prompt", inputs: { prompt: "Which?" } }]),
  });
  const { stdout } = await frond.run(["run", "./ask.yaml", "--json"]);
  const { checkpoint_id: questionId } = JSON.parse(stdout);
  const few = answers.slice(0, 4);
  const told = await Promise.all(few.map((answer) => frond.run(["resume", questionId, "-r", answer, "--json"])));
  const kept = told.map(({ stdout: out }) => /the earlier answer was kept: '(answer \d)'/.exec(out)?.[1]);
  const accepted = few.filter((_, number) => kept[number] === undefined);
  expect(accepted).toHaveLength(1);
  expect(kept.filter((answer) => answer !== undefined)).toEqual(Array(few.length - 1).fill(accepted[0]));
});
