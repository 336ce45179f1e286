import type { BlockFinished, BlockPaused, RunEvent, RunFinished, RunStarted } from "../../src/engine/events.ts";
import { type Ending, succeeded } from "../../src/engine/execution.ts";
import type { RunCreation, RunRequest } from "../../src/journal/journal.ts";
import type { Owner } from "../../src/journal/owner.ts";

export const owner: Owner = { bootId: "boot", pidNamespace: "pid:[1]", pid: 11, startTime: "1100" };
export const otherOwner: Owner = { ...owner, pid: 22, startTime: "2200" };

export const cancel: RunRequest = { kind: "cancel", message: "enough" };

export const at = (second: number): string => new Date(Date.UTC(2024, 0, 1) + second * 1000).toISOString();

export function runStarted(runId: string, more: Partial<RunStarted> = {}): RunStarted {
  return {
    type: "run-started",
    at: at(0),
    runId,
    workflow: "deploy",
    languageVersion: 1,
    definitions: { deploy: { file: "deploy.yaml", text: "name: deploy" } },
    inputs: {},
    workspace: "/work",
    maxParallel: 64,
    maxDepth: 50,
    ...more,
  };
}

export function creation(runId: string, more: Partial<RunStarted> = {}): RunCreation {
  return { events: [runStarted(runId, more)], owner };
}

type BlockDetails = Partial<Pick<BlockFinished, "at" | "outputs" | "durationMs">>;

export function blockFinished(path: string, more: BlockDetails = {}, ending: Ending = succeeded): BlockFinished {
  return { type: "block-finished", at: at(1), path, outputs: { stdout: path }, durationMs: 1.5, ...more, ...ending };
}

export function blockPaused(path: string, more: Partial<BlockPaused> = {}): BlockPaused {
  return {
    type: "block-paused",
    at: at(2),
    path,
    questionId: `pause_${path}`,
    question: { text: "Deploy?", audience: "human", choices: ["yes", "no"] },
    about: "block",
    durationMs: 3,
    ...more,
  };
}

type RunDetails = Partial<Pick<RunFinished, "at" | "outputs" | "durationMs">>;

export function runFinished(more: RunDetails = {}, ending: Ending = succeeded): RunFinished {
  const remarks = { handledFailures: [], outputErrors: {} };
  return { type: "run-finished", at: at(9), outputs: {}, durationMs: 9000, remarks, ...more, ...ending };
}

/** As many events as asked for, each of which can be told from the others. */
export function someEvents(count: number, label = "block"): RunEvent[] {
  return Array.from({ length: count }, (_, index) => blockFinished(`${label}-${index}`));
}

export function pathsOf(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => ("path" in event ? [event.path] : []));
}
