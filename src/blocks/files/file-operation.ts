import type { FileChange } from "../../block/block-files.ts";
import { BlockCannotRun, type BlockContext, type BlockResult } from "../../block/define-block.ts";
import type { FileProblem } from "../../block/ports.ts";
import type { ValueMap } from "../../expression/value.ts";

/** Carries why an operation on files failed out of its depths, to where the block ends with it. */
export class OperationFailed extends Error {}

/** Ends a block with what the operation gives, or with these outputs should it fail. */
export async function settleOperation(whenFailed: ValueMap, operate: () => Promise<ValueMap>): Promise<BlockResult> {
  try {
    return { kind: "succeeded", outputs: await operate() };
  } catch (error) {
    if (!(error instanceof OperationFailed)) throw error;
    return { kind: "failed", message: error.message, outputs: whenFailed };
  }
}

/** The answer, unless it is a problem. One that breaks a rule keeps the block from running at all. */
export function orFail<T extends object>(answer: T | FileProblem): T {
  if (isProblem(answer)) throw asFailure(answer);
  return answer;
}

/** Makes all changes of a block, of which there may be none, and gives its outputs. */
export async function makeChanges(
  { files }: BlockContext,
  changes: readonly FileChange[],
  outputs: ValueMap,
): Promise<ValueMap> {
  if (changes.length === 0) return outputs;
  const problem = await files.change(changes, outputs);
  if (problem !== undefined) throw asFailure(problem);
  return outputs;
}

function isProblem(answer: object): answer is FileProblem {
  return "message" in answer;
}

function asFailure({ kind, message }: FileProblem): Error {
  return kind === "forbidden" ? new BlockCannotRun(message) : new OperationFailed(message);
}
