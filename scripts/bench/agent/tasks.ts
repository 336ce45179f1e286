import { checksTask, repairTask } from "./authoring-tasks.ts";
import { commitTask } from "./git-task.ts";
import { limitsTask } from "./limits-task.ts";
import { longRunTask } from "./long-run-task.ts";
import { questionsTask } from "./questions-task.ts";
import { rerunTask } from "./rerun-task.ts";
import { savingTask } from "./saving-task.ts";
import type { AgentTask } from "./task.ts";

/** In the order in which the agent was asked. */
export const agentTasks: readonly AgentTask[] = [
  commitTask,
  checksTask,
  savingTask,
  questionsTask,
  repairTask,
  longRunTask,
  limitsTask,
  rerunTask,
];
