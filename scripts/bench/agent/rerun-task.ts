import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentTask, demand } from "./task.ts";

const release = (build: string): string => `
name: release
description: Fetches, builds and publishes
blocks:
  - id: fetch
    type: Shell
    inputs: { command: echo fetched >> fetches.txt }
  - id: build
    type: Shell
    inputs: { command: ${build} }
    depends_on: [fetch]
  - id: publish
    type: Shell
    inputs: { command: cat built.txt }
    depends_on: [build]
outputs:
  published: \${trim(blocks.publish.stdout)}
`;

export const rerunTask: AgentTask = {
  name: "rerun from the failed block after a fix",
  // It was not possible: what was spent is what it took to find that out.
  before: { calls: 7, received: 4_300 },
  async do(agent) {
    const failed = await agent.call("execute_inline_workflow", { workflow_yaml: release("cp sources.txt biult.txt") });
    demand(failed.text.includes("sources.txt"), "the reply does not say what failed");
    // The file that is missing is made with the agent's own hands, and the slip in the workflow is not seen yet.
    agent.write("sources.txt", "the release\n");
    const again = await agent.follow(failed, "rerun_workflow");
    demand(again.text.includes("built.txt"), "the reply does not say what failed then");
    // Now the workflow itself is mended.
    const workflow_yaml = release("cp sources.txt built.txt");
    const { data } = await agent.follow(again, "rerun_workflow", { workflow_yaml });
    demand(data.outputs?.published === "the release", "it is not published");
    const fetches = join(agent.workspace, "fetches.txt");
    demand(existsSync(fetches) && readFileSync(fetches, "utf8") === "fetched\n", "what had succeeded ran again");
  },
};
