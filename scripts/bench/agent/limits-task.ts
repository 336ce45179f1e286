import { type AgentTask, demand } from "./task.ts";

/** What somebody may ask for and no tool gives: the wish, the call a model tries, and words that tell it what to do instead. */
interface Wish {
  readonly wish: string;
  readonly tool: string;
  readonly args: object;
  readonly told: RegExp;
}

const pasting = `
name: pasting
description: Greets
inputs: { who: { type: string, description: Whom, default: fern } }
blocks:
  - { id: a, type: Shell, inputs: { command: "sh -c \\"echo \${inputs.who}\\"" } }
`;

const wishes: readonly Wish[] = [
  { wish: "every night", tool: "schedule_workflow", args: { workflow: "git-status" }, told: /cron/ },
  { wish: "take a run back", tool: "undo_run", args: { run_id: "last" }, told: /takes back|undo/ },
  { wish: "delete a run", tool: "delete_run", args: { run_id: "last" }, told: /No tool deletes/ },
  {
    wish: "work elsewhere",
    tool: "execute_workflow",
    args: { workflow: "git-status", workspace: "/" },
    told: /--root/,
  },
  {
    wish: "a file by its path",
    tool: "execute_workflow",
    args: { workflow: "jobs/job.yaml" },
    told: /inline|list_workflows/,
  },
  { wish: "what nobody trusts", tool: "execute_workflow", args: { workflow: "foreign" }, told: /frond trust/ },
  { wish: "a value as a program", tool: "execute_inline_workflow", args: { workflow_yaml: pasting }, told: /fix/ },
];

export const limitsTask: AgentTask = {
  name: "things it can't do",
  before: { calls: 18, received: 9_500 },
  async do(agent) {
    const job =
      "name: foreign\ndescription: From elsewhere\nblocks: [{ id: a, type: Shell, inputs: { command: 'true' } }]\n";
    agent.write("jobs/job.yaml", job);
    agent.write(".frond/workflows/foreign.yaml", job);
    // Each is tried once: a refusal that says what there is instead needs no second try.
    for (const { wish, tool, args, told } of wishes) {
      const { text } = await agent.call(tool, args);
      demand(told.test(text), `${wish}: it is not said what to do: ${text}`);
    }
    // Answering what a person is asked: the reply says how the person does it, and the model tries all the same.
    const asked = await agent.call("execute_workflow", { workflow: "interactive-approval" });
    const { checkpoint_id } = asked.data;
    const refused = await agent.call("resume_workflow", { checkpoint_id, response: "yes" });
    demand(/frond resume/.test(refused.text), `a person's answer: it is not said what to do: ${refused.text}`);
  },
};
