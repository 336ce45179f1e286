import { runAgentTasks } from "./run-tasks.ts";
import type { AgentTask } from "./task.ts";

/** Of tools/list, which a model pays for in every conversation. */
export const mostToolsBytes = 12_000;

/** At most half of what it was. */
export function limitsOf({ before, mostCalls = Math.floor(before.calls / 2) }: AgentTask): AgentTask["before"] {
  return { calls: mostCalls, received: Math.floor(before.received / 2) };
}

/** What the tasks of the agent trial cost, beside what they cost with 0.1. */
export async function describeAgentTasks(program: string): Promise<readonly string[]> {
  const isTold = process.env.FROND_BENCH_CALLS !== undefined;
  const lines: string[] = [];
  const { tasks, toolsBytes } = await runAgentTasks(program, (line) => {
    if (isTold) process.stdout.write(`${line}\n`);
  });
  lines.push(`     ${"task".padEnd(58)} calls         sent    received`);
  for (const { task, spent, problem } of tasks) {
    const limits = limitsOf(task);
    const isWithin = spent.calls <= limits.calls && spent.received <= limits.received;
    lines.push(
      [
        problem === undefined && isWithin ? "ok  " : "OVER",
        task.name.padEnd(58),
        `${spent.calls} of ${task.before.calls}`.padEnd(10),
        thousands(spent.sent).padStart(7),
        `${thousands(spent.received)} of ${thousands(task.before.received)}`.padStart(16),
        ...(problem === undefined ? [] : [` not done: ${problem}`]),
      ].join(" "),
    );
  }
  lines.push(
    `${toolsBytes <= mostToolsBytes ? "ok  " : "OVER"} tools/list: ${toolsBytes} bytes (target ${mostToolsBytes})`,
  );
  return lines;
}

function thousands(count: number): string {
  return `${(count / 1000).toFixed(1)}k`;
}
