import { defined } from "../util/defined.ts";
import type { FailedBlock } from "./failures.ts";
import { omitQuoted } from "./omit-quoted.ts";
import type { BlockData } from "./read-block.ts";
import type { QuestionData, WorkflowResponse } from "./response.ts";

/**
 * What goes over a wire or into --json: the same, with nothing said twice. `error` is there only where `failed_blocks` do not say
 * it, and the duration only in the whole record and of a plan; one question stands in the reply itself, several in `pending`; what a question quotes is not in the records as well.
 */
export interface WorkflowReply extends WorkflowResponse, Partial<Omit<QuestionData, "block">> {
  /** Address of the block that asks the one question. */
  readonly paused_block_id?: string;
}

/** `isWhole`: whoever asks for the whole record gets what questions quote, too. */
export function toReply(response: WorkflowResponse, isWhole: boolean = false): WorkflowReply {
  const { error, pending = [], message, blocks, metadata, duration_ms, ...rest } = response;
  const isSaid = isSaidBy(rest.failed_blocks, error);
  const next = [...(isSaid ? adviceIn(error) : []), ...(message === undefined ? [] : [message])].join(" ");
  return {
    ...rest,
    // How long a plan took is a part of what became of it.
    ...(rest.steps === undefined ? {} : defined({ duration_ms })),
    ...(error === undefined || isSaid ? {} : { error }),
    ...describeQuestions(pending),
    ...(next === "" ? {} : { message: next }),
    ...defined({ blocks: isWhole || blocks === undefined ? blocks : omitQuoted(blocks, pending), metadata }),
  };
}

/** A limit of the run itself is no failure of a block, though it ends some. */
function isSaidBy(failed: readonly FailedBlock[] = [], error: string = ""): boolean {
  return failed.some(({ message }) => error.includes(message) || message.includes(error));
}

function describeQuestions(pending: readonly QuestionData[]): Partial<WorkflowReply> {
  const [first, ...others] = pending;
  if (first === undefined) return {};
  if (others.length > 0) return { pending };
  const { block, ...question } = first;
  return { paused_block_id: block, ...question };
}

/** Behind the line that sums up what failed, the error of a run may say what to write. */
function adviceIn(error: string = ""): string[] {
  const [, ...advice] = error.split("\n");
  return advice.length === 0 ? [] : [advice.join(" ")];
}

/** One block, told as a run is: its question in the reply itself, and what it wrote only once. */
export function toBlockReply(
  { run_status: status, pending, log_tail: log, ...data }: BlockData,
  isWhole: boolean,
): Pick<BlockData, "run_id" | "block"> & { readonly status: BlockData["run_status"] } {
  const { run_id, block, ...record } = data;
  const { [block]: shown = record } =
    pending === undefined || isWhole ? {} : omitQuoted({ [block]: record }, [pending]);
  const { block: _, ...question } = pending ?? {};
  // What a command wrote is in its outputs once it has ended.
  const isInOutputs = ["stdout", "stderr"].some((name) => typeof data.outputs[name] === "string");
  return { status, run_id, block, ...shown, ...question, ...(log === "" || isInOutputs ? {} : { log_tail: log }) };
}
