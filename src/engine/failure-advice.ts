import type { StopCause } from "./execution.ts";
import { howItEnded } from "./judge.ts";
import type { RunNode, WorkflowInside } from "./run-node.ts";

/**
 * Said below the message of a workflow: why a failure counts although something ran because of it, and what to write if it should not.
 * It is about the text of the workflow, and the same in every run of it.
 */
export function adviseOnFailure(failed: RunNode, answers: readonly RunNode[], inside: WorkflowInside): string {
  const name = `'${failed.key}'`;
  const who = answers.map(({ key }) => `'${key}'`).join(", ");
  const what = failed.cause === undefined ? undefined : answeredByKey[failed.cause];
  const why = what === undefined ? whyUnanswered(answers, inside) : `only \`allow_failure\` answers ${what}`;
  return `${name} ${howItEnded(failed)} and still counts: ${who} ran because of it, but ${why}. (If ${name} may fail: \`allow_failure: true\` on it.)`;
}

const answeredByKey: Readonly<Partial<Record<StopCause, string>>> = {
  timeout: "a time limit",
  budget: "an exceeded budget",
};

function whyUnanswered(answers: readonly RunNode[], { children }: WorkflowInside): string {
  const it = answers.length === 1 ? "it" : "they";
  const after = answers.flatMap(({ block }) => block?.dependents ?? []).map((index) => children[index]);
  const user = after.find((node) => node?.record.metadata.status === "completed");
  if (user === undefined) return `nothing uses what ${it} made`;
  return `'${user.key}' would have run without ${it === "it" ? "it" : "them"} too`;
}

const advice = /^'.+ and still counts: '.+ \(If '.+' may fail: `allow_failure: true` on it\.\)$/;

/** What went wrong, in the lines of the message; a nested workflow may have given its advice in the middle of it. */
export function linesWithoutAdvice(message: string): string[] {
  return message.split("\n").filter((line) => line.trim() !== "" && !advice.test(line));
}
