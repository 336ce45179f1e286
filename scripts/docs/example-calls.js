// One call of each tool, in the order in which they are made: what one gives, the next may need.

const asking = `name: choose-way
description: Asks which way to go
blocks:
  - id: way
    type: Prompt
    inputs: { prompt: Left or right?, choices: [left, right] }
outputs:
  way: \${blocks.way.response}
`;

const writing = `name: write-notes
description: Writes a file
blocks:
  - id: notes
    type: CreateFile
    inputs: { path: notes.txt, content: Some notes }
`;

const plan = {
  overview: "Greet the world",
  steps: [
    { step_id: "write", action_type: "create_file", path: "greeting.txt", content: "Hello\n" },
    { step_id: "show", action_type: "run_command", command: "cat greeting.txt", depends_on: ["write"] },
  ],
};

const wrong = asking.replace("blocks.way.response", "blocks.wya.response").replace("choices:", "choises:");

/** Each makes its arguments from the replies of those before it, by the name of the tool. */
export const exampleCalls = [
  ["list_workflows", () => ({ query: "greet" })],
  ["get_workflow_info", () => ({ workflow: "hello-world" })],
  ["execute_workflow", () => ({ workflow: "hello-world", inputs: { name: "Ada" } })],
  ["get_run", ({ execute_workflow: run }) => ({ run_id: run.run_id, path: "greet", include: ["log"], tail: 5 })],
  ["get_workflow_schema", () => ({ block_type: "Prompt" })],
  ["validate_workflow_yaml", () => ({ workflow_yaml: wrong })],
  ["save_workflow", () => ({ workflow_yaml: asking })],
  ["test_workflow", () => ({ workflow: "choose-way" })],
  ["execute_inline_workflow", () => ({ workflow_yaml: asking })],
  ["list_checkpoints", () => ({ limit: 10 })],
  ["get_checkpoint_info", ({ execute_inline_workflow: run }) => ({ checkpoint_id: run.checkpoint_id })],
  ["resume_workflow", ({ execute_inline_workflow: run }) => ({ checkpoint_id: run.checkpoint_id, response: "left" })],
  ["rerun_workflow", ({ execute_workflow: run }) => ({ run_id: run.run_id, inputs: { name: "Grace" } })],
  [
    "undo_run",
    async (_, call) => call("execute_inline_workflow", { workflow_yaml: writing }).then(({ run_id }) => ({ run_id })),
  ],
  ["list_runs", () => ({ status: "success", limit: 10 })],
  ["delete_checkpoint", async (_, call) => pausedRun(call).then(({ checkpoint_id }) => ({ checkpoint_id }))],
  ["cancel_run", async (_, call) => pausedRun(call).then(({ run_id }) => ({ run_id }))],
  ["execute_plan", () => ({ plan })],
];

function pausedRun(call) {
  return call("execute_inline_workflow", { workflow_yaml: asking });
}
