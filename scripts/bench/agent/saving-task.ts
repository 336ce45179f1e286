import { type AgentTask, demand } from "./task.ts";

const child = `
name: count-words
description: Counts the words of a file
inputs:
  file: { type: string, description: Which file }
blocks:
  - id: count
    type: Shell
    inputs: { command: 'wc -w < "\${inputs.file}"' }
outputs:
  words: { value: "\${trim(blocks.count.stdout)}", type: integer, description: How many }
`;

/** The first draft reads a field of all results as if it were one. */
const parent = (total: string): string => `
name: count-all-words
description: Counts the words of several files
inputs:
  files: { type: array, description: Which files }
blocks:
  - id: each_file
    type: ExecuteWorkflow
    for_each: \${inputs.files}
    inputs: { workflow: count-words, inputs: { file: "\${each.value}" } }
outputs:
  total: { value: "${total}", type: integer, description: How many in all }
`;

export const savingTask: AgentTask = {
  name: "nested, loop, typed output, saved, run by name",
  before: { calls: 18, received: 8_200 },
  async do(agent) {
    agent.write("one.txt", "one two three\n");
    agent.write("two.txt", "four five\n");
    // What a call of another workflow takes, and where its outputs are.
    await agent.call("get_workflow_schema", { block_type: "ExecuteWorkflow" });
    const saved = await agent.call("save_workflow", { workflow_yaml: child });
    demand(typeof saved.data.path === "string", "the child is not saved");
    const draft = await agent.call("save_workflow", {
      workflow_yaml: parent("${sum(blocks.each_file.results.words)}"),
    });
    demand(draft.text.includes("pluck("), "the way to a field of all results is not named");
    const total = "${sum(pluck(blocks.each_file.results, 'words'))}";
    const mended = await agent.call("save_workflow", { workflow_yaml: parent(total) });
    // The call is named, with examples for inputs.
    const { data } = await agent.follow(mended, "execute_workflow", { inputs: { files: ["one.txt", "two.txt"] } });
    demand(data.outputs?.total === 5, "it does not count");
  },
};
