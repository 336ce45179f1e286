import { type AgentTask, demand } from "./task.ts";

/** A command that writes 5 MB, with three lines in it that matter, and goes on for longer than anybody waits. */
const noisy = `
name: long-check
description: Checks everything, for hours
blocks:
  - id: prepare
    type: Shell
    inputs: { command: echo ready }
  - id: check
    type: Shell
    inputs:
      command: |
        awk 'BEGIN {
          for (i = 1; i <= 64000; i++) {
            if (i % 20000 == 0) printf "ERROR in case %d: expected 1, got 2\\n", i
            else printf "case %06d passed: everything about it is as it was expected to be, 0 ms\\n", i
          }
        }'
        echo waiting for the last case
        touch written
        sleep 1000
    depends_on: [prepare]
  - id: publish
    type: Shell
    inputs: { command: echo published }
    depends_on: [check]
`;

export const longRunTask: AgentTask = {
  name: "long run, cancel, 5 MB log",
  before: { calls: 15, received: 335_000 },
  async do(agent) {
    const started = await agent.call("execute_inline_workflow", { workflow_yaml: noisy, wait_seconds: 0 });
    demand(started.data.status === "running", "it does not run");
    await agent.sees("written");
    // How far it has come, twice: the second look is what tells whether it moves. Who only looks does not wait as long as is advised.
    for (let look = 0; look < 2; look++) {
      const { data } = await agent.follow(started, "get_run", { wait_seconds: 0 });
      demand(data.status === "running", "it does not run any more");
    }
    const { run_id } = started.data;
    const cancelled = await agent.call("cancel_run", { run_id });
    demand(cancelled.data.cancelled === true, "it is not cancelled");
    // What it had done: the reply names this call.
    await agent.follow(cancelled, "get_run");
    // What the log looks like. It is too long to be read, so the rest is looked for in it, as with any log.
    const log = await agent.call("get_run", { run_id, path: "check", include: ["log"] });
    demand(log.text.includes("waiting for the last case"), "the end of the log is not shown");
    const found = await agent.call("get_run", { run_id, path: "check", include: ["log"], grep: "ERROR" });
    demand(/ERROR in case 20000.*ERROR in case 40000.*ERROR in case 60000/s.test(found.text), "errors are not found");
  },
};
