import type { Advice } from "../diagnostic/advice.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { defined } from "../util/defined.ts";
import { toReply } from "../views/reply.ts";
import { describeRefusal, type QuestionData, type WorkflowResponse } from "../views/response.ts";
import { explainForModel, wordAdvice } from "./word-advice.ts";

/** How a call ends. */
export type ToolReply =
  | { readonly kind: "result"; readonly data: object; readonly isError: boolean; readonly format: Waiting["format"] }
  /** To be read as they are: texts that would be twice as long, and hard to read, as JSON. */
  | { readonly kind: "text"; readonly texts: readonly string[] }
  /** The run goes on; the client looks after it as a task. */
  | { readonly kind: "task"; readonly runId: string }
  | Questions;

/** The client puts these to a person, and calls again with what they say. */
export interface Questions {
  readonly kind: "questions";
  readonly questions: readonly QuestionData[];
  /** Why what was said before does not fit, by question. */
  readonly misfits?: ReadonlyMap<string, string>;
  readonly runId: string;
  readonly waiting: Waiting;
}

/** What the client wants to wait for. */
export interface Waiting {
  readonly waitSeconds: number;
  readonly format: "minimal" | "detailed";
}

/** Unless the client says otherwise. Many give up on a call after 60. */
export const usualWaitSeconds = 45;

/** How much room it gets follows from how much was asked for. */
export function result(data: object, format: Waiting["format"] = "minimal"): ToolReply {
  return { kind: "result", data, isError: false, format };
}

/** A result with something to say before its own message. */
export function withRemarks(remarks: readonly (string | undefined)[], reply: ToolReply): ToolReply {
  const said = remarks.filter((remark) => remark !== undefined);
  if (said.length === 0 || reply.kind !== "result") return reply;
  const { message } = reply.data as Partial<WorkflowResponse>;
  return {
    ...reply,
    data: { ...reply.data, message: [...said, ...(message === undefined ? [] : [message])].join(" ") },
  };
}

export function runResult(response: WorkflowResponse, format: Waiting["format"] = "minimal"): ToolReply {
  return { kind: "result", data: toReply(response), isError: response.status === "failure", format };
}

/** Nothing has been done, and why: in the shape of a run that failed, so that every reply is read the same way. */
export function refuse(...problems: readonly Diagnostic[]): ToolReply {
  return refuseWith(problems);
}

/** The same with what to do next, where that is one thing for all the problems. */
export function refuseWith(problems: readonly Diagnostic[], next?: Advice): ToolReply {
  const message = next === undefined ? undefined : wordAdvice(next);
  const data = { ...describeRefused(problems), ...defined({ message }) };
  return { kind: "result", data, isError: true, format: "minimal" };
}

/** The same as data. What is wrong is not said twice. Each error as validate_workflow_yaml tells it: that it is one goes without saying, and so does where it ends. */
export function describeRefused(problems: readonly Diagnostic[]): object {
  const { status, errors = [] } = describeRefusal(problems.map(explainForModel));
  const error = `Not done: ${errors.length} ${errors.length === 1 ? "error" : "errors"}.`;
  return { status, error, errors: errors.map(({ level: _, end_line: __, end_column: ___, ...told }) => told) };
}
