import type { Agent, Spent } from "./agent.ts";

/**
 * What a model that knows nothing but the protocol was asked to do, as the calls that it makes. The tasks are done in their order in one
 * conversation, so what has been read once is known; nothing else is. Each call says why it is made. Where a reply names the next
 * call, that call is made as it stands there (`follow`).
 */
export interface AgentTask {
  readonly name: string;
  /** What an agent spent on it with 0.1; calls and received characters. */
  readonly before: Pick<Spent, "calls" | "received">;
  /** What the calls may be, where half of those before is not what counts. */
  readonly mostCalls?: number;
  /** Throws when the task is not done at the end of it. */
  do(agent: Agent): Promise<void>;
}

/** The task is not done: a figure of it would say nothing. */
export function demand(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new Error(what);
}
