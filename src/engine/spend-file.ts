import type { Cost } from "../block/spend.ts";
import { parseAmount } from "../definition/load-budget.ts";
import { isMap, type Value } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";

/** Names a file to which a command may write what it has cost. */
export const spendFileVariable = "FROND_SPEND_FILE";

export interface ReadSpend {
  readonly costs: readonly Cost[];
  /** What is wrong with the rest, for people. */
  readonly problems: readonly string[];
}

/** One object, or one on each line: they are added up. What is none is told, and not counted. */
export function readSpendText(text: string): ReadSpend {
  const whole = readCost(text);
  if (whole.ok) return { costs: [whole.value], problems: [] };
  const costs: Cost[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const cost = readCost(line);
    if (cost.ok) costs.push(cost.value);
    else problems.push(`line ${index + 1} ${cost.error}`);
  }
  return { costs, problems };
}

const form = 'is not like {"usd": 0.02, "tokens": 900}';

function readCost(text: string): Result<Cost, string> {
  const value = parseJson(text);
  if (value === undefined || !isMap(value)) return err(form);
  const { usd, tokens, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) return err(`${form}: nobody knows what '${other}' is`);
  if (usd === undefined && tokens === undefined) return err(form);
  if (usd !== undefined && !parseAmount(usd, false).ok) return err(`${form}: 'usd' is no number from 0 on`);
  if (tokens !== undefined && !parseAmount(tokens, true).ok)
    return err(`${form}: 'tokens' is no whole number from 0 on`);
  return ok({
    ...(usd === undefined ? {} : { usd: Number(usd) }),
    ...(tokens === undefined ? {} : { tokens: Number(tokens) }),
  });
}

function parseJson(text: string): Value | undefined {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}
