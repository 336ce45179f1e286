import { type AgentTask, demand } from "./task.ts";

const asking = `
name: ask-twice
description: Asks for a colour and a size, and paints
blocks:
  - id: colour
    type: Prompt
    inputs: { prompt: Which colour?, choices: [red, green] }
  - id: mix
    type: Shell
    inputs: { command: 'echo mixed "\${blocks.colour.response}"' }
    depends_on: [colour]
  - id: size
    type: Prompt
    inputs: { prompt: Which size?, choices: [small, large] }
    depends_on: [mix]
  - id: paint
    type: Shell
    inputs: { command: 'touch painting; until [ -e dry ]; do sleep 0.05; done; echo "\${blocks.size.response} \${blocks.colour.response}"' }
    depends_on: [size]
outputs:
  painted: \${trim(blocks.paint.stdout)}
`;

export const questionsTask: AgentTask = {
  name: "two questions, two kill -9",
  before: { calls: 18, received: 9_500 },
  async do(agent) {
    const first = await agent.call("execute_inline_workflow", { workflow_yaml: asking });
    demand(first.data.status === "paused", "it asks nothing");
    await agent.killServer();
    // Whether anything is left of it.
    const left = await agent.call("list_checkpoints");
    demand(left.text.includes(first.data.checkpoint_id), "the question is lost");
    const second = await agent.follow(first, "resume_workflow", { response: "green" });
    demand(second.data.status === "paused", "the second question is not asked");
    // A client that does not want to wait for the paint to dry.
    const running = await agent.follow(second, "resume_workflow", { response: "large", wait_seconds: 0 });
    demand(running.data.status === "running", "it does not paint");
    await agent.sees("painting");
    await agent.killServer();
    const interrupted = await agent.follow(running, "get_run");
    demand(interrupted.data.status === "interrupted", "nobody noticed that the server was killed");
    const question = await agent.follow(interrupted, "resume_workflow");
    demand(question.data.status === "paused", "it is not asked whether to paint again");
    agent.write("dry", "");
    // The first choice is to run it again.
    const { data } = await agent.follow(question, "resume_workflow");
    demand(data.outputs.painted === "large green", "the answers are lost");
  },
};
