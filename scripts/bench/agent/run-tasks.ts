import { defined } from "../../../src/util/defined.ts";
import { Agent, type Spent } from "./agent.ts";
import { layOutRepository } from "./git-task.ts";
import type { AgentTask } from "./task.ts";
import { agentTasks } from "./tasks.ts";

export interface TaskFigures {
  readonly task: AgentTask;
  readonly spent: Spent;
  /** Why the task could not be done. */
  readonly problem?: string;
}

export interface AgentFigures {
  readonly tasks: readonly TaskFigures[];
  readonly toolsBytes: number;
}

/** Does all tasks, one after the other, against a server over stdio. */
export async function runAgentTasks(program: string, onCall: (line: string) => void = () => {}): Promise<AgentFigures> {
  const agent = new Agent(program, onCall);
  try {
    layOutRepository(agent);
    await agent.connect();
    const { bytes: toolsBytes } = await agent.listTools();
    const tasks: TaskFigures[] = [];
    for (const task of agentTasks) {
      onCall(`== ${task.name}`);
      const problem = await task.do(agent).then(
        () => undefined,
        (error: Error) => error.message,
      );
      tasks.push({ task, spent: agent.takeSpent(), ...defined({ problem }) });
    }
    return { tasks, toolsBytes };
  } finally {
    await agent.close();
  }
}
