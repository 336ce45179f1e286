import { expect, test } from "vitest";
import { limitsOf, mostToolsBytes } from "../../scripts/bench/agent/print-figures.ts";
import { runAgentTasks } from "../../scripts/bench/agent/run-tasks.ts";
import { frondProgram } from "../rig/frond.ts";

test("the tasks of the agent trial cost a model at most half of the calls and characters that they did", async () => {
  const { tasks, toolsBytes } = await runAgentTasks(frondProgram);
  const over = tasks.filter(({ task, spent, problem }) => {
    const { calls, received } = limitsOf(task);
    return problem !== undefined || spent.calls > calls || spent.received > received;
  });
  expect(over).toEqual([]);
  expect(tasks).toHaveLength(8);
  expect(toolsBytes).toBeLessThanOrEqual(mostToolsBytes);
});
