import { expect, test } from "vitest";
import { commandSources } from "../../src/library/takes-commands.ts";
import { createTestEngine, type Written } from "../rig/engine.ts";

interface Sources {
  readonly inputs: readonly string[];
  readonly answers: boolean;
}

const inputs = {
  v: { type: "string", description: "A text" },
  l: { type: "array", description: "A list", default: [] },
  n: { type: "integer", description: "A number", default: 1 },
  e: { type: "string", description: "One of two", enum: ["a", "b"], default: "a" },
};

function sourcesOf(blocks: readonly object[], workflows: Readonly<Record<string, Written>> = {}): Sources {
  const engine = createTestEngine({ workflows });
  const { definition, diagnostics } = engine.check({ inputs, blocks });
  if (definition === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const found = commandSources(definition, (name) => engine.engine.workflows.callable(name));
  return { inputs: [...found.inputs], answers: found.answers };
}

const shell = (written: object): object[] => [{ id: "a", type: "Shell", inputs: written }];

test.each([
  { args: ["${inputs.v}", "--version"] },
  { args: "${inputs.l}" },
  { args: ["bash", "-c", "${inputs.v}"], unsafe: true },
  { args: ["sh", "./scripts/${inputs.v}.sh"] },
  { command: '"${inputs.v}" --version' },
  { command: "./scripts/${inputs.v}.sh" },
  { command: 'tool="${inputs.v}"; "$tool" --version' },
  { command: 'sh -c \'"$1" --version\' _ "${inputs.v}"' },
  { command: "timeout 5 ${inputs.v}" },
  { command: "bash -- ${inputs.v}" },
  { command: "python3 ./tools/${inputs.v}" },
  { command: 'npx "${inputs.v}"' },
  { command: "echo ${inputs.v | raw}", unsafe: true },
  { command: 'run() { "$@"; }; run "${inputs.v}"' },
  { command: '"$TOOL" --version', env: { TOOL: "${inputs.v}" } },
  { command: "lint .", env: { PATH: "${inputs.v}/bin:/usr/bin" } },
  { args: ["lint", "."], env: { PATH: "${inputs.v}" } },
  { args: ["make"], env: { MAKEFLAGS: "${inputs.v}" }, unsafe: true },
  { args: ["make"], env: "${inputs.l}", unsafe: true },
  { args: ["bash"], stdin: "${inputs.v}", unsafe: true },
  { command: "bash", stdin: "${inputs.v}", unsafe: true },
])("an input that names the program, a script or its text takes commands: %j", (written) => {
  const { inputs: found } = sourcesOf(shell(written));
  expect(found).toHaveLength(1);
});

test.each([
  { args: ["git", "commit", "-m", "${inputs.v}"] },
  { args: ["sh", "-c", 'echo "$1"', "_", "${inputs.v}"] },
  { command: 'git commit -m "${inputs.v}"' },
  { command: "npm run build -- --env ${inputs.v}" },
  { command: '"${inputs.e}" --version' },
  { command: "./step-${inputs.n}.sh" },
  { command: "cat", stdin: "${inputs.v}" },
  { command: 'git commit -m "$MESSAGE"', env: { MESSAGE: "${inputs.v}" } },
  { args: ["git", "commit", "-F", "-"], stdin: "${inputs.v}", env: { LANG: "${inputs.v}" } },
])("an input that is only an argument, a number or one of a set does not: %j", (written) => {
  expect(sourcesOf(shell(written))).toEqual({ inputs: [], answers: false });
});

test("a value is followed through blocks, loops and called workflows", () => {
  const print = { id: "print", type: "Shell", inputs: { command: "echo ${inputs.v}" } };
  const run = { id: "run", type: "Shell", inputs: { args: ["${blocks.print.stdout}"] }, depends_on: ["print"] };
  expect(sourcesOf([print, run]).inputs).toEqual(["v"]);
  const each = { id: "each", type: "Shell", for_each: "${inputs.l}", inputs: { args: ["${each.value}"] } };
  expect(sourcesOf([each]).inputs).toEqual(["l"]);
  const child = {
    inputs: { c: { type: "string", description: "A program" } },
    blocks: shell({ args: ["${inputs.c}"] }),
  };
  const call = (c: string): object[] => [
    { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "child", inputs: { c } } },
  ];
  expect(sourcesOf(call("${inputs.v}"), { child }).inputs).toEqual(["v"]);
  expect(sourcesOf(call("git"), { child }).inputs).toEqual([]);
  const chosen = [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "${inputs.v}" } }];
  expect(sourcesOf(chosen).inputs).toEqual(["v"]);
});

test("a workflow that is chosen during the run may take commands from all that it is given, and by asking", () => {
  const call = (workflow: string): object => ({
    id: "call",
    type: "ExecuteWorkflow",
    inputs: { workflow, inputs: { c: "${inputs.v}" } },
  });
  expect(sourcesOf([call("${inputs.e}")])).toEqual({ inputs: ["v"], answers: true });
  const each = { ...call("${each.value}"), for_each: ["x", "y"] };
  expect(sourcesOf([each])).toEqual({ inputs: ["v"], answers: true });
});

test("so is the answer to a question", () => {
  const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Which program?" } };
  const run = { id: "run", type: "Shell", inputs: { args: ["${blocks.ask.response}"] }, depends_on: ["ask"] };
  expect(sourcesOf([ask, run])).toEqual({ inputs: [], answers: true });
  const call = { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "child" } };
  const child = { blocks: [ask], outputs: { program: "${blocks.ask.response}" } };
  const use = { id: "use", type: "Shell", inputs: { args: ["${blocks.call.program}"] }, depends_on: ["call"] };
  expect(sourcesOf([call, use], { child })).toEqual({ inputs: [], answers: true });
  const print = { id: "use", type: "Shell", inputs: { args: ["echo", "${blocks.call.program}"] } };
  expect(sourcesOf([call, print], { child })).toEqual({ inputs: [], answers: false });
});
