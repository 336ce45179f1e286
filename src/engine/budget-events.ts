import type { OnExceeded } from "../definition/workflow-definition.ts";

/** What happens to budgets: a part of `RunEvent`. What attempts reserve and cost is told by the events of their blocks. */

/** What a budget limits: US dollars, tokens, seconds of active time, or attempts that start. */
export type LimitKind = "usd" | "tokens" | "duration" | "blocks";

/** An attempt did not fit, and nothing that runs can make room for it: nothing else starts in what has the budget. */
export interface BudgetExceeded {
  readonly type: "budget-exceeded";
  readonly at: string;
  /** Of what has the budget. */
  readonly path: string;
  readonly limit: LimitKind;
  readonly most: number;
  /** Spent when the attempt was to start. */
  readonly used: number;
  /** What the attempt may need. */
  readonly needs: number;
  /** Address of its block. */
  readonly block: string;
  /** `pause`: a person is asked once nothing runs any more. `rollback`: what runs is ended. */
  readonly action: OnExceeded;
  /** Who decided it, where a person was asked. */
  readonly by?: string;
}

/** A person let it cost more. */
export interface BudgetRaised {
  readonly type: "budget-raised";
  readonly at: string;
  readonly path: string;
  readonly limit: LimitKind;
  readonly from: number;
  readonly to: number;
  /** Who: `terminal`, ... */
  readonly by: string;
}

/** A budget as it is given to a run when it starts. */
export interface RunBudget {
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
  /** Seconds. */
  readonly maxDuration?: number;
  readonly maxBlocks?: number;
  /** Absent: ask a person. */
  readonly onExceeded?: OnExceeded;
}
