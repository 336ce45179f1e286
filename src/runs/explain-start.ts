import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { problem } from "../diagnostic/problem.ts";
import { explainInput } from "../library/explain-input.ts";
import type { StartProblem } from "./start-run.ts";

/** A start that was refused. A key that belongs to the same run already is no refusal: whoever starts it gets that run. */
export type RefusedStart = Exclude<StartProblem, { kind: "exists" }>;

/** Why nothing was started: all that is wrong, for any door. */
export function explainStart(refused: RefusedStart): readonly Diagnostic[] {
  switch (refused.kind) {
    case "inputs":
      return refused.problems.map(explainInput);
    case "secrets":
      return refused.problems.map((message) => problem("missing-secret", message, { kind: "set-secret" }));
    case "forbidden":
      return [refused.problem];
    case "key-taken":
      return [
        problem(
          "key-taken",
          `The idempotency key belongs to ${refused.runId}, which has other inputs or another definition.`,
          "Use another key, or the same inputs.",
        ),
      ];
  }
}
