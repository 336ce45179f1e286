import { expect, test } from "vitest";
import { createFrond, type Frond } from "../rig/frond.ts";

interface Reply {
  readonly status: string;
  readonly paused_block_id?: string;
  readonly checkpoint_id?: string;
  readonly prompt?: string;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

const testFile = `import assert from "node:assert";
import { add } from "./add.mjs";
assert.equal(add(1, 2), 3);
`;

/** What the model gives, question by question. */
const answers: readonly (readonly [block: string, path: string, content: string])[] = [
  ["red/rounds/0/ask", "add.test.mjs", testFile],
  ["green/rounds/0/ask", "add.mjs", "export const add = (a, b) => a - b;\n"],
  ["green/rounds/1/ask", "add.mjs", "export function add(a, b) { const sum = a + b; return sum; }\n"],
  ["refactor/rounds/0/ask", "add.mjs", "export const add = nothing;\n"],
  ["refactor/rounds/1/ask", "add.mjs", "export const add = (a, b) => a + b;\n"],
];

const phases = ["red", "green", "refactor"] as const;

function stateOf(frond: Frond): Record<string, unknown> {
  return JSON.parse(frond.read("tdd-state.json")) as Record<string, unknown>;
}

test("a TDD cycle pauses in each phase, goes on in another process each time, and leaves a complete state", async () => {
  const frond = createFrond();
  const goal = 'add(a, b) gives the sum, it\'s "simple" $(touch x)';
  const inputs = ["--input", `goal=${goal}`, "--input", 'test_command=["node", "add.test.mjs"]'];
  let { code, reply } = await frond.json(["run", "tdd-cycle", ...inputs]);
  for (const [block, path, content] of answers) {
    const { status, paused_block_id: asking, checkpoint_id: id = "", prompt } = reply as Reply;
    expect({ code, status, asking }).toEqual({ code: 3, status: "paused", asking: block });
    expect(prompt).toContain(`Goal: ${goal}`);
    expect(stateOf(frond)).toMatchObject({ phase: block.split("/")[0], status: "running" });
    const response = JSON.stringify({ files: [{ path, content }] });
    // Each is a process of its own, which knows nothing but what is on disk.
    ({ code, reply } = await frond.json(["resume", id, "--response", response]));
  }
  expect({ code, reply }).toMatchObject({
    code: 0,
    reply: { status: "success", outputs: { passed: true, attempts: 2, refactored: true } },
  });
  expect(frond.read("add.mjs")).toBe("export const add = (a, b) => a + b;\n");
  const state = stateOf(frond);
  const result = (attempts: number, passed: boolean, file: string): object => ({
    attempts,
    done: true,
    passed,
    exit_code: passed ? 0 : 1,
    files: [file],
    output: expect.any(String),
    finished_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  expect(state).toMatchObject({
    goal,
    phase: "done",
    status: "done",
    test_command: ["node", "add.test.mjs"],
    red: result(1, false, "add.test.mjs"),
    green: result(2, true, "add.mjs"),
    refactor: result(2, true, "add.mjs"),
  });
  const times = [
    state.started_at,
    ...phases.map((phase) => (state[phase] as { finished_at: string }).finished_at),
    state.updated_at,
    state.finished_at,
  ];
  expect(times).toEqual([...times].sort());
});

test("after green has failed it goes on from the state file, in a run of its own", async () => {
  const frond = createFrond();
  const inputs = ["--input", "goal=a file", "--input", 'test_command=["test","-f","made"]', "--input", "max_rounds=1"];
  await frond.json(["run", "tdd-cycle", ...inputs]);
  await frond.json(["resume", "last", "--response", '{"files":[]}']);
  const failed = await frond.json(["resume", "last", "--response", '{"files":[]}']);
  expect(failed).toMatchObject({
    code: 1,
    reply: {
      status: "failure",
      failed_blocks: expect.arrayContaining([
        expect.objectContaining({ message: expect.stringContaining("The test still fails after 1 attempts.") }),
      ]),
    },
  });
  expect(stateOf(frond)).toMatchObject({ phase: "green", status: "failed" });
  await frond.json(["run", "tdd-green"]);
  const { reply } = await frond.json(["resume", "last", "--response", '{"files":[{"path":"made","content":""}]}']);
  expect(reply).toMatchObject({ status: "success", outputs: { passed: true, attempts: 2 } });
  expect(stateOf(frond)).toMatchObject({ phase: "green", status: "done" });
});
