import type { Catalog } from "../block/catalog.ts";
import type { Problem } from "../diagnostic/problem.ts";
import { positionAt } from "../diagnostic/source.ts";
import { checkQuestionAnswer } from "../engine/check-question-answer.ts";
import type { RunStarted } from "../engine/events.ts";
import { questionOf } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import type { Value } from "../expression/value.ts";
import type { RunSummary } from "../journal/journal.ts";
import type { DrivenRun } from "../runs/driven-run.ts";
import type { Platform } from "../runs/platform.ts";
import { isOverdue, type RunStatus, readRun } from "../runs/read-run.ts";
import { defined } from "../util/defined.ts";
import { ok, type Result } from "../util/result.ts";
import { type BlockRecord, describeBlockRecords } from "./block-records.ts";
import { elementsAround } from "./pass-names.ts";
import {
  describeRun,
  type QuestionData,
  questionsOf,
  type ResponseOptions,
  type WorkflowResponse,
} from "./response.ts";
import { type RunningLog, runningLogs } from "./run-progress.ts";
import { describeTree, type RunTree } from "./run-tree.ts";

export interface OpenQuestions {
  readonly questions: readonly QuestionData[];
  readonly interruptions: ReadonlySet<string>;
}

type Standing = Pick<ResponseOptions, "status" | "isOverdue" | "elsewhere">;

/** A run as doors see it: in records, made when they are asked for. The engine's own stay behind it. */
export class ShownRun {
  /** How it began. */
  readonly started: RunStarted;
  readonly #state: RunState;
  readonly #standing: Standing;

  /** `standing` where the state alone can't tell: a run that does not go on may be interrupted. */
  constructor(state: RunState, standing: Standing = {}) {
    this.started = state.started;
    this.#state = state;
    this.#standing = standing;
  }

  describe(options: ResponseOptions): WorkflowResponse {
    return describeRun(this.#state, { ...this.#standing, ...options });
  }

  /** Of blocks that run now. */
  runningLogs(): readonly RunningLog[] {
    return runningLogs(this.#state);
  }

  /** As a tree for which there are so many lines. */
  tree(lines: number): RunTree {
    return describeTree(this.#state, { lines, isInterrupted: isLeft(this.#standing.status) });
  }

  /** When something in it that sleeps goes on; nothing where nothing does, or something else goes on before. */
  get wakeAt(): string | undefined {
    return this.#state.wakeAt;
  }

  /** Every block that is known so far. */
  blocks(): readonly BlockRecord[] {
    return describeBlockRecords(this.#state);
  }

  /** Where the text of a block stands, if that is a file. */
  locate(path: string): { readonly file: string; readonly line: number } | undefined {
    const range = this.#state.nodes.get(path)?.block?.definition.range;
    if (range === undefined || range.source.isInline) return undefined;
    const { source, start } = range;
    return { file: source.file ?? source.name, line: positionAt(source, start).line };
  }

  /** Which element a block is run for, in a few words, if it is in a loop over a list. */
  elementOf(path: string): string | undefined {
    const node = this.#state.nodes.get(path);
    return node === undefined ? undefined : elementsAround(node);
  }

  /** The names of the outputs that its workflow declares. */
  outputNames(): readonly string[] {
    const { inside } = this.#state.root;
    return inside.kind === "workflow" ? [...inside.plan.definition.outputs.keys()] : [];
  }

  /** The questions that wait for an answer, oldest first. */
  questions(): readonly QuestionData[] {
    return questionsOf(this.#state);
  }

  /** These, and which of them are about blocks that were running when their process ended. */
  openQuestions(): OpenQuestions {
    const interruptions = [...this.#state.questions].filter(([, node]) => questionOf(node)?.about === "interruption");
    return { questions: this.questions(), interruptions: new Set(interruptions.map(([id]) => id)) };
  }

  /** Why an answer would not be taken, if so. */
  refuseAnswer(questionId: string, answer: Value): string | undefined {
    const checked = checkQuestionAnswer(this.#state, questionId, answer);
    return checked.ok ? undefined : checked.error;
  }
}

/** Whether nobody drives a run that has neither ended nor come to rest: what runs in it according to its events does so no longer. */
export function isLeft(status: RunStatus | undefined): boolean {
  return status === "interrupted" || status === "queued";
}

/** A run that can be looked at between its turns. */
export interface LiveRun extends Pick<DrivenRun, "inspect"> {
  /** Where others drive it, and the state alone can't tell how it stands. */
  readonly standing?: Pick<ResponseOptions, "status">;
}

/** Looks at a run when all that is seen is durable. What is seen may not be kept, unless the run rests. */
export function lookAt<T>(run: LiveRun, look: (shown: ShownRun) => T): Promise<T> {
  return run.inspect((state) => look(new ShownRun(state, run.standing)));
}

/** A run as the journal has it. */
export interface StoredView {
  readonly summary: RunSummary;
  readonly status: RunStatus;
  readonly run: ShownRun;
}

/** Reads a run, whoever drives it. Reading it starts nothing and takes nothing over. */
export async function readShownRun(
  platform: Platform,
  catalog: Catalog,
  runId: string,
): Promise<Result<StoredView, Problem>> {
  const read = await readRun(platform, catalog, runId);
  if (!read.ok) return read;
  const { summary, status, state } = read.value;
  const { host } = state.started;
  const elsewhere = host === platform.host ? undefined : host;
  const standing = { status, isOverdue: isOverdue(summary, platform), ...defined({ elsewhere }) };
  return ok({ summary, status, run: new ShownRun(state, standing) });
}
