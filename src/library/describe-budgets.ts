import { formatUsd } from "../block/spend.ts";
import { formatSeconds } from "../definition/duration.ts";
import type { BlockDefinition, Budget, OnExceeded, WorkflowDefinition } from "../definition/workflow-definition.ts";
import { defined } from "../util/defined.ts";

/** What a workflow may cost by its own text, before it runs. */
export interface BudgetSummary {
  /** The workflow's own first. */
  readonly limits: readonly BudgetData[];
  /** Addresses of blocks that may cost something and say not how much: it is counted when they have ended, and nothing is kept free. */
  readonly not_capped?: readonly string[];
}

interface BudgetData {
  /** Absent for the workflow itself. */
  readonly block?: string;
  readonly max_cost_usd?: number;
  readonly max_tokens?: number;
  /** Seconds. */
  readonly max_duration?: number;
  readonly max_blocks?: number;
  readonly on_exceeded: OnExceeded;
}

/** Nothing where there is no budget. */
export function summariseBudgets(definition: WorkflowDefinition): BudgetSummary | undefined {
  const limits: BudgetData[] = [];
  const notCapped: string[] = [];
  if (definition.budget !== undefined) limits.push(describeBudget(definition.budget));
  const visit = (blocks: readonly BlockDefinition[], before: string, isAround: boolean): void => {
    for (const block of blocks) {
      const address = `${before}${block.id}`;
      const { budget, group } = block;
      if (budget !== undefined) limits.push({ block: address, ...describeBudget(budget) });
      const isLimited = isAround || limitsCosts(budget);
      if (group !== undefined) visit(group.blocks, `${address}/`, isLimited);
      else if (isLimited && block.isFinally !== true && isUncapped(block)) notCapped.push(address);
    }
  };
  visit(definition.blocks, "", limitsCosts(definition.budget));
  if (limits.length === 0) return undefined;
  return { limits, ...(notCapped.length === 0 ? {} : { not_capped: notCapped }) };
}

function describeBudget({ maxCostUsd, maxTokens, maxDuration, maxBlocks, onExceeded }: Budget): BudgetData {
  return {
    ...defined({
      max_cost_usd: maxCostUsd,
      max_tokens: maxTokens,
      max_duration: maxDuration,
      max_blocks: maxBlocks,
    }),
    on_exceeded: onExceeded,
  };
}

function limitsCosts(budget: Budget | undefined): boolean {
  return budget?.maxCostUsd !== undefined || budget?.maxTokens !== undefined;
}

/** What reaches programs or other machines may cost something; nobody but its author knows how much. */
function isUncapped({ type, cost }: BlockDefinition): boolean {
  const reachesOut = type.capabilities.includes("commands") || type.capabilities.includes("network");
  return type.behaviour.kind === "leaf" && reachesOut && cost === undefined && type.estimate === undefined;
}

const mostNamed = 5;

/** `$0.50, 40 attempts (pause); deploy: $0.10 (stop); counted, not capped: build`. */
export function wordBudgets({ limits, not_capped: uncapped = [] }: BudgetSummary): string {
  const more = uncapped.length > mostNamed ? [`${uncapped.length - mostNamed} more`] : [];
  const counted =
    uncapped.length === 0 ? [] : [`counted, not capped: ${[...uncapped.slice(0, mostNamed), ...more].join(", ")}`];
  return [...limits.map(wordBudget), ...counted].join("; ");
}

function wordBudget({
  block,
  max_cost_usd: usd,
  max_tokens: tokens,
  max_duration: seconds,
  max_blocks: count,
  on_exceeded,
}: BudgetData): string {
  const amounts = [
    ...(usd === undefined ? [] : [formatUsd(usd)]),
    ...(tokens === undefined ? [] : [`${tokens.toLocaleString("en-US")} tokens`]),
    ...(seconds === undefined ? [] : [formatSeconds(seconds)]),
    ...(count === undefined ? [] : [`${count} attempts`]),
  ];
  return `${block === undefined ? "" : `${block}: `}${amounts.join(", ")} (${on_exceeded})`;
}
