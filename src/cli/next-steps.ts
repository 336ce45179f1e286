import type { UndoOptions } from "../runs/undo-plan.ts";
import { quoteWord } from "../util/quote-word.ts";
import type { NextSteps, QuestionData } from "../views/response.ts";
import { formatTime } from "./text/format-time.ts";
import { cleanLine } from "./text/visible-text.ts";

/** What to type next, in whatever directory. Each step is a line of its own, which ends with what to type. */
export const nextSteps: NextSteps & { answer(pending: readonly QuestionData[]): string } = {
  answer(pending) {
    const [first] = pending;
    if (first === undefined) return "The run waits.";
    if (first.audience === "human") return `A person answers with: frond resume ${first.checkpoint_id}`;
    return `Answer with: frond resume ${first.checkpoint_id} --response '${exampleAnswer(first.choices)}'`;
  },
  follow: (runId, isWaiting = false) =>
    `${isWaiting ? "" : "Another process drives it.\n"}Watch it with: frond attach ${runId}`,
  wake: (runId, wakeAt, isOverdue) =>
    isOverdue
      ? `It should have gone on at ${formatTime(wakeAt)}, and no process woke it.\nGo on with: frond resume ${runId}`
      : `It sleeps until ${formatTime(wakeAt)}.\nWait for it here with: frond resume ${runId}\n(or wake it later with: frond recover)`,
  runAll: (runId, isFrozen) =>
    `Nothing had to run: all results were reused.\nTo run all of it: frond rerun ${runId} --all${isFrozen ? " --frozen" : ""}`,
  takeOver: (runId) => `The process that drove it is gone.\nGo on with: frond resume ${runId}`,
  redo: (runId) => `Redo: frond undo ${runId}`,
  takeBack: (runId) => `Take back what it changed: frond undo ${runId}`,
  repair({ runId, failed: [first], hasBegun, isCancelled, isOverBudget, leftChanges, commitPoint, undone }) {
    if (undone !== undefined) {
      const force = { ...undone, onConflict: "force" } as const;
      const rest = undone.isStopped ? `Take back the rest: ${undoCommand(undone.runId, undone)}\n` : "";
      const replace = undone.isForcible ? `Replace that too: ${undoCommand(undone.runId, force)}\n` : "";
      return `${rest}${replace}${leftChanges ? nextSteps.redo(runId) : ""}`.trimEnd();
    }
    const back = leftChanges ? `\nTake back what it changed: ${undoCommand(runId, { to: commitPoint })}` : "";
    if (isCancelled) return `To run what is left: frond rerun ${runId}${back}`;
    if (isOverBudget) {
      return `Raise the budget in its workflow, then run what is left: frond rerun ${runId}\n(a limit of the command line is raised by running it again, with a larger --budget)${back}`;
    }
    const see = hasBegun ? `${log(runId, first)}\n` : "";
    return `${see}Fix that, then run: frond rerun ${runId}${back}`;
  },
  inspect: (runId, [first]) => log(runId, first),
};

/** The command that takes back the same part of the run in the same way. */
export function undoCommand(runId: string, { only, to, onConflict = "keep" }: UndoOptions): string {
  const options = Object.entries({ only, to, "on-conflict": onConflict === "keep" ? undefined : onConflict });
  const given = options.flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoteWord(value, process.platform)}`],
  );
  return ["frond undo", runId, ...given].join(" ");
}

function log(runId: string, block: string | undefined): string {
  return `See the log: frond logs ${runId}${block === undefined ? "" : ` ${quoteWord(block, process.platform)}`}`;
}

/** A choice that can't be typed as it is shown is no example. */
function exampleAnswer(choices: readonly string[] | undefined): string {
  const example = choices?.find((choice) => cleanLine(choice) === choice) ?? "...";
  return example.replaceAll("'", `'\\''`);
}
