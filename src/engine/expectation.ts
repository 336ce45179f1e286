import type { BlockResult } from "../block/define-block.ts";
import { resolveValue } from "../definition/value-template.ts";
import type { Expect } from "../definition/workflow-definition.ts";
import type { Scope } from "../expression/ast.ts";
import { describeValue } from "../expression/format-value.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { crashed, type Ending, operationFailed, setState, succeeded } from "./execution.ts";
import { judgeCondition, quoteCondition } from "./judge.ts";
import type { AttemptResult } from "./retry.ts";
import type { RunNode } from "./run-node.ts";
import { WorkflowScope } from "./scope.ts";

export type EndedResult = Extract<BlockResult, { kind: "succeeded" | "failed" }>;

/** Whether something lies at a path of the node's workspace; the error says why that can't be told. */
export type FindFile = (path: string) => Promise<boolean>;

/** How an operation that has completed ended, by what is expected of it. */
export async function judgeExpectation<Ended extends AttemptResult>(
  node: RunNode,
  result: Ended,
  runId: string,
  findFile: FindFile,
): Promise<Ended> {
  const expect = node.block?.definition.expect;
  if (expect === undefined || result.ending.status === "failed") return result;
  const byCode = judgeExitCode(expect, result.ending, result.outputs?.exit_code);
  if (byCode.outcome !== "success") return { ...result, ending: byCode };
  const missing = node.block?.definition.fileOutputs.find(({ name, required }) => required && !result.outputs?.[name]);
  if (byCode !== result.ending && missing !== undefined) {
    return { ...result, ending: operationFailed(`the file of the output '${missing.name}' is missing`) };
  }
  const judged = asEnded(node, byCode, result.outputs ?? {});
  const scope = WorkflowScope.judging(node, runId, judged);
  return { ...result, ending: await judgeRest(expect, scope, findFile) };
}

/** Whether what is expected of an operation's exit code, if anything is, makes a success of a result. */
export function succeedsByCode(expect: Expect | undefined, result: EndedResult): boolean {
  const ending = result.kind === "succeeded" ? succeeded : operationFailed(result.message);
  const judged = expect === undefined ? ending : judgeExitCode(expect, ending, result.outputs.exit_code);
  return judged.outcome === "success";
}

/** An exit code decides where there is one; a command that failed for another reason has failed all the same. */
function judgeExitCode({ exitCodes }: Expect, ending: Ending, code: Value | undefined): Ending {
  if (exitCodes === undefined || typeof code !== "number") return ending;
  if (exitCodes.includes(code)) return code === 0 ? ending : succeeded;
  return ending.outcome === "success"
    ? operationFailed(`exit code ${code}, expected ${exitCodes.join(" or ")}`)
    : ending;
}

async function judgeRest(expect: Expect, scope: Scope, findFile: FindFile): Promise<Ending> {
  if (expect.fileExists !== undefined) {
    const path = resolveValue(expect.fileExists, scope);
    if (!path.ok) return crashed(`expect.file_exists: ${path.error.message}`);
    if (typeof path.value !== "string" || path.value === "") {
      return crashed(`expect.file_exists: a path is a text, not ${describeValue(path.value)}.`);
    }
    if (!(await findFile(path.value))) return operationFailed(`expected the file '${path.value}', which is not there`);
  }
  if (expect.condition === undefined) return succeeded;
  const verdict = judgeCondition(expect.condition, scope, "expect.condition");
  if (!verdict.ok) return crashed(verdict.error);
  return verdict.value ? succeeded : operationFailed(`not as expected: ${quoteCondition(expect.condition)}`);
}

/** The node as it would be if it ended so. */
function asEnded(node: RunNode, { status, outcome, message }: Ending, outputs: ValueMap): RunNode {
  const metadata = { ...node.record.metadata };
  setState(metadata, status, outcome, message);
  return { ...node, ended: true, record: { ...node.record, outputs, metadata } };
}
