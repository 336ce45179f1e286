import type { BlockType } from "../block/define-block.ts";
import { describeValue } from "../expression/format-value.ts";
import type { Value } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";
import { choice, count, expressionSchema, type PlainForm, timeLimit, withDefault } from "./forms.ts";
import { type Key, type Keys, listKeys, mapSchema, readMap } from "./key.ts";
import { firstLine, type KeyReader, MapReader } from "./map-reader.ts";
import { compileValue, type ValueTemplate } from "./value-template.ts";
import {
  type BlockDefinition,
  type Budget,
  type DeclaredCost,
  type ForEach,
  onExceededChoices,
  type Repeat,
} from "./workflow-definition.ts";

/** Money, or a number of tokens. What is wrong is said as the rest of a sentence that names the key. */
export function parseAmount(value: Value, isWhole: boolean): Result<number, string> {
  const isAmount = typeof value === "number" && Number.isFinite(value) && value >= 0;
  if (isAmount && (!isWhole || Number.isInteger(value))) return ok(value);
  return err(`must be ${amountWords(isWhole)}, not ${describeValue(value)}`);
}

function amountWords(isWhole: boolean): string {
  return isWhole ? "a whole number from 0 on" : "a number from 0 on";
}

function amount(isWhole: boolean): PlainForm<number | undefined> {
  return {
    schema: { type: isWhole ? "integer" : "number", minimum: 0 },
    read(at) {
      if (at.node === undefined) return undefined;
      const value = at.node.kind === "scalar" ? at.node.value : null;
      const parsed = parseAmount(value, isWhole);
      return parsed.ok ? parsed.value : at.wrongType(amountWords(isWhole), plainNumber(at.name, value));
    },
  };
}

/** `$0.50` or `"0.5"`, as a number. */
function plainNumber(key: string, value: Value): string | undefined {
  const meant = typeof value === "string" ? /^\s*\$?\s*(\d+(?:\.\d+)?)\s*(?:usd|\$)?\s*$/i.exec(value)?.[1] : undefined;
  return meant === undefined ? undefined : `Write \`${key}: ${meant}\`.`;
}

export const budgetKeys: Keys<Budget> = {
  maxCostUsd: {
    name: "max_cost_usd",
    docs: "US dollars that all attempts in it may cost together",
    examples: ["0.50", "20"],
    foreign: ["max_cost", "usd", "cost", "max_usd", "max_budget", "budget_usd", "cost_usd"],
    ...amount(false),
  },
  maxTokens: {
    name: "max_tokens",
    docs: "Tokens that models may read and write in it",
    examples: ["200000"],
    foreign: ["tokens", "token_limit"],
    ...amount(true),
  },
  maxDuration: {
    name: "max_duration",
    docs: "Time in which anything in it runs, without pauses and sleeping; nothing starts after it, and what runs is not cut: that is `timeout`",
    examples: ["15m", "90"],
    foreign: ["duration", "max_time", "time"],
    ...timeLimit,
  },
  maxBlocks: {
    name: "max_blocks",
    docs: "How many attempts at blocks may start in it",
    examples: ["40"],
    foreign: ["blocks", "max_steps", "steps", "max_attempts"],
    ...count,
  },
  onExceeded: {
    name: "on_exceeded",
    docs: "What happens when something would not fit: ask a person, start nothing else, or undo what lies in it",
    examples: ["pause", "stop", "rollback"],
    foreign: ["on_exceed", "action", "when_exceeded"],
    ...withDefault(choice(onExceededChoices), "pause"),
  },
};

const budgetKey: Key<Budget | undefined> = {
  name: "budget",
  docs: "What it may cost with all that is inside it: nothing starts that might exceed it",
  examples: ["{ max_cost_usd: 0.50, on_exceeded: pause }", "{ max_tokens: 200000, max_duration: 15m, max_blocks: 40 }"],
  foreign: ["max_budget", "max_cost_usd", "max_cost", "cost_limit", "budgets"],
  schema: (catalog) => mapSchema(listKeys(budgetKeys), catalog),
  read: readBudget,
};

export const workflowBudget: Key<Budget | undefined> = budgetKey;

interface BudgetContext {
  readonly type: BlockType;
}

/** On a block that holds others: a nested workflow, a group, or a loop as a whole. */
export const blockBudget: Key<Budget | undefined, BudgetContext, BlockDefinition> = {
  ...budgetKey,
  docs: "What a block that holds others may cost with all of them: a group, a nested workflow, a loop as a whole",
  read(at, { type }, { forEach, repeat }) {
    if (at.entry === undefined || type.behaviour.kind !== "leaf" || isLooped(forEach, repeat)) return readBudget(at);
    at.report({
      code: "budget-of-one-block",
      level: "error",
      message: `${at.what} holds no other blocks, so it can't have a budget.`,
      why: "A budget limits what several attempts cost together.",
      fix: "Say what one attempt costs at most, `cost: { usd: 0.02 }`, and set the budget on the workflow.",
      range: at.entry.keyRange,
    });
    return undefined;
  },
};

function isLooped(forEach: ForEach | undefined, repeat: Repeat | undefined): boolean {
  return forEach !== undefined || repeat !== undefined;
}

function readBudget(at: KeyReader): Budget | undefined {
  const node = at.mapAt();
  if (node === undefined) return undefined;
  const map = new MapReader(node, `budget of ${at.what}`, at.report);
  const budget = readMap(budgetKeys, map, undefined);
  const limits = [budgetKeys.maxCostUsd, budgetKeys.maxTokens, budgetKeys.maxDuration, budgetKeys.maxBlocks];
  if (limits.some(({ name }) => map.entry(name) !== undefined || map.meant.has(name))) return budget;
  at.report({
    code: "budget-without-limit",
    level: "error",
    message: `The ${map.what} limits nothing.`,
    fix: "Add `max_cost_usd: 0.50`, `max_tokens`, `max_duration` or `max_blocks`.",
    range: firstLine(node.range),
  });
  return undefined;
}

export const costKeys: Keys<DeclaredCost> = {
  usd: {
    name: "usd",
    docs: "US dollars",
    examples: ["0.02", "${inputs.price}"],
    foreign: ["cost_usd", "dollars", "cost"],
    ...amountOrExpression(false),
  },
  tokens: {
    name: "tokens",
    docs: "Tokens",
    examples: ["900", "${inputs.tokens}"],
    foreign: ["max_tokens"],
    ...amountOrExpression(true),
  },
};

function amountOrExpression(isWhole: boolean): PlainForm<ValueTemplate | undefined> {
  return {
    schema: { anyOf: [{ type: isWhole ? "integer" : "number", minimum: 0 }, expressionSchema] },
    read(at) {
      if (at.node === undefined) return undefined;
      const value = compileValue(at.node, at.report);
      if (value.kind === "text") return value;
      const written = value.kind === "literal" ? value.value : null;
      const parsed = parseAmount(written, isWhole);
      return parsed.ok ? value : at.wrongType(amountWords(isWhole), plainNumber(at.name, written));
    },
  };
}

/** The most that one attempt costs; what it tells of itself counts when it has ended. */
export const cost: Key<DeclaredCost | undefined, BudgetContext> = {
  name: "cost",
  docs: "The most that one attempt costs: kept free in every budget around before it starts, and charged if it tells nothing else",
  examples: ["{ usd: 0.02 }", "{ usd: 0.02, tokens: 900 }", '{ usd: "${inputs.price}" }'],
  foreign: ["estimate", "estimated_cost", "price"],
  schema: (catalog) => ({ ...mapSchema(listKeys(costKeys), catalog), minProperties: 1 }),
  read(at, { type }) {
    const { entry, node } = at;
    if (entry === undefined || node === undefined) return undefined;
    if (type.behaviour.kind !== "leaf") {
      at.report({
        code: "cost-of-holder",
        level: "error",
        message: `${at.what} costs what the blocks inside it cost.`,
        fix: "Write `cost` on those blocks; `budget` limits what they cost together.",
        range: entry.keyRange,
      });
      return undefined;
    }
    if (node.kind !== "map") return at.wrongType("a map", costFix(node.kind === "scalar" ? node.value : null));
    const map = new MapReader(node, `cost of ${at.what}`, at.report);
    const declared = readMap(costKeys, map, undefined);
    if (node.entries.length > 0) return declared;
    return at.wrongType("a map with `usd`, `tokens` or both", costFix(0.02));
  },
};

function costFix(value: Value): string | undefined {
  return typeof value === "number" ? `Write \`cost: { usd: ${value} }\`.` : undefined;
}
