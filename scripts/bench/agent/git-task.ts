import { execFileSync } from "node:child_process";
import type { Agent } from "./agent.ts";
import { type AgentTask, demand } from "./task.ts";

/** A repository with a change, a new file and a deleted one. */
export function layOutRepository(agent: Agent): void {
  const git = (...args: readonly string[]): void => {
    const settings = ["-c", "user.name=Fern", "-c", "user.email=fern@example.com", "-c", "init.defaultBranch=main"];
    execFileSync("git", [...settings, ...args], { cwd: agent.workspace, env: agent.env });
  };
  agent.write("../home/.gitconfig", "[user]\n\tname = Fern\n\temail = fern@example.com\n");
  agent.write("package.json", '{ "name": "shop", "version": "1.0.0" }\n');
  agent.write("src/cart.js", functions("cart", 30));
  agent.write("src/old.js", functions("old", 5));
  agent.write("deploy.sh", "#!/bin/sh\nset -e\necho deployed\n");
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Begin");
  agent.write("src/cart.js", functions("cart", 30).replaceAll("+ 1", "+ 2"));
  agent.write("src/prices.js", functions("price", 10));
  git("rm", "--quiet", "--cached", "src/old.js");
}

function functions(name: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `export function ${name}${index}(n) {\n  return n + 1;\n}\n`).join(
    "\n",
  );
}

export const commitTask: AgentTask = {
  name: "explore, status, semantic commit",
  before: { calls: 12, received: 34_000 },
  async do(agent) {
    // What is there at all.
    const { data: list } = await agent.call("list_workflows");
    const names = Object.keys(list.workflows["built-in"]);
    demand(names.includes("git-status") && names.includes("git-commit"), "the list has no workflows of git");
    // Their inputs: the list names this call as the next.
    await agent.call("get_workflow_info", { workflow: "git-status" });
    const { data: status } = await agent.call("execute_workflow", { workflow: "git-status" });
    demand(status.outputs.clean === false, "git-status says nothing of the changes");
    await agent.call("get_workflow_info", { workflow: "git-commit" });
    // Without a message it asks for one, which is what is wanted.
    const asked = await agent.call("execute_workflow", { workflow: "git-commit" });
    demand(asked.data.status === "paused", "git-commit asks nothing");
    const response = { type: "feat", scope: "cart", subject: "count in twos and add prices" };
    const { data: committed } = await agent.follow(asked, "resume_workflow", { response });
    demand(committed.outputs.subject === "feat(cart): count in twos and add prices", "there is no such commit");
  },
};
