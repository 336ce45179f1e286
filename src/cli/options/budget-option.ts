import { InvalidArgumentError, Option } from "commander";
import type { RunBudget } from "../../engine/events.ts";
import { readSeconds } from "../../util/duration-text.ts";

export interface BudgetOptions {
  readonly budget?: RunBudget;
  readonly maxCost?: number;
}

export function budgetOption(): Option {
  return new Option(
    "--budget <limits>",
    "what the run may cost, beside the budget of the workflow: `usd=0.50,tokens=200000,duration=15m,blocks=40,on_exceeded=stop`",
  ).argParser(parseBudget);
}

export function maxCostOption(): Option {
  return new Option("--max-cost <usd>", "the same as --budget usd=...").argParser((text) => amount(text, "usd"));
}

/** Both options together; undefined where neither was given. */
export function askedBudget({ budget, maxCost }: BudgetOptions): RunBudget | undefined {
  return maxCost === undefined ? budget : { ...budget, maxCostUsd: Math.min(maxCost, budget?.maxCostUsd ?? maxCost) };
}

type Part = (value: string) => RunBudget;

const parts: Readonly<Record<string, Part>> = {
  usd: (value) => ({ maxCostUsd: amount(value, "usd") }),
  tokens: (value) => ({ maxTokens: whole(value, "tokens") }),
  duration: (value) => ({ maxDuration: seconds(value) }),
  blocks: (value) => ({ maxBlocks: whole(value, "blocks") }),
  on_exceeded: (value) => ({ onExceeded: action(value) }),
};

/** A number alone means dollars. */
export function parseBudget(text: string): RunBudget {
  const budget: RunBudget = Object.assign({}, ...text.split(",").map((part) => parsePart(part.trim())));
  if (Object.keys(budget).some((key) => key !== "onExceeded")) return budget;
  throw new InvalidArgumentError("It limits nothing. Write it like usd=0.50.");
}

function parsePart(text: string): RunBudget {
  const [, name, value = ""] = /^(?:([a-z_]+)=)?(.*)$/.exec(text) ?? [];
  const part = parts[name ?? "usd"];
  if (part !== undefined) return part(value.trim());
  throw new InvalidArgumentError(`Nothing is called '${name}'. There are ${Object.keys(parts).join(", ")}.`);
}

function amount(text: string, name: string): number {
  const value = Number(text.replace(/^\$/, ""));
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError(`${name} must be a number from 0 on, such as 0.50.`);
}

function whole(text: string, name: string): number {
  const value = Number(text.replaceAll("_", ""));
  if (text !== "" && Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError(`${name} must be a whole number above 0.`);
}

function seconds(text: string): number {
  const value = readSeconds(/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  if (value !== undefined && value > 0) return value;
  throw new InvalidArgumentError("duration must be a time, such as 15m or 90s.");
}

function action(text: string): NonNullable<RunBudget["onExceeded"]> {
  if (text === "pause" || text === "stop" || text === "rollback") return text;
  throw new InvalidArgumentError("on_exceeded must be pause, stop or rollback.");
}
