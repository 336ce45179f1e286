import type { Value, ValueMap } from "../../expression/value.ts";
import type { Usage } from "../model/model-cost.ts";

/**
 * An installed coding agent that works without a person: how it is called, and what its events mean. Everything that differs between these
 * programs stands in such an object, so another program is one more of them.
 */
export interface AgentProgram {
  /** What `agent` calls it, and the program's name on PATH. */
  readonly name: string;
  /** A command that installs it. */
  readonly install: string;
  /** Whose models it calls, as prices name them; without it a model is named with its provider. */
  readonly provider?: string;
  /** Inputs that it has no way to obey, each with what to do instead. */
  readonly lacks: Readonly<Partial<Record<OptionalInput, string>>>;
  /** Whether the final answer is kept to a schema by the program itself; else it is asked for in the prompt. */
  readonly hasSchema: boolean;
  /** Whether it is known while it runs what it costs, so that it ends at `budget_usd`: by itself, or ended by us. */
  readonly keepsBudget: boolean;
  /** Whether it keeps its commands in a sandbox of its own, which can't be made inside ours: there only full access is left to them. */
  readonly hasSandbox?: true;
  command(task: AgentTask): AgentCommand;
  /** Takes from an event what it tells into the report; gives the lines that show it to a reader, if it is worth any. */
  read(event: ValueMap, report: AgentReport): string | undefined;
}

export type OptionalInput = "allowed_tools" | "max_turns";

/** Read files, also change them, or do anything. */
export const accessLevels = ["read", "edit", "full"] as const;
export type Access = (typeof accessLevels)[number];

export interface AgentTask {
  readonly access: Access;
  readonly model?: string;
  readonly allowedTools: readonly string[];
  readonly maxTurns?: number;
  readonly budgetUsd?: number;
  /** An earlier one that goes on. */
  readonly session?: string;
  readonly schema?: ValueMap;
}

/** The prompt is not in it: it always comes by standard input. */
export interface AgentCommand {
  /** A value stands behind `=` or has been checked, so that none is taken for an option. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What has become known of an agent by its events. */
export interface AgentReport {
  sessionId?: string;
  model?: string;
  /** What it said last. */
  text: string;
  json?: Value;
  turns?: number;
  /** So far; of a program that tells only at its end what it has used, at least this much. */
  usage?: Usage;
  /** The message whose usage was counted last. */
  countedMessage?: string;
  /** As the program itself has calculated it. */
  costUsd?: number;
  /** Whether it has told of its end, and with it of all that it has used. */
  hasEnded: boolean;
  failure?: AgentFailure;
  /** How long the model's provider asked to wait the last time that it refused. */
  retryAfterMs?: number;
}

export interface AgentFailure {
  readonly message: string;
  /** The model's provider had no room for it: another attempt may go well. */
  readonly isOverload: boolean;
}

export function addUsage(sum: Usage | undefined, more: Usage): Usage {
  if (sum === undefined) return more;
  return {
    input: sum.input + more.input,
    output: sum.output + more.output,
    cacheRead: sum.cacheRead + more.cacheRead,
    cacheWrite: sum.cacheWrite + more.cacheWrite,
  };
}
