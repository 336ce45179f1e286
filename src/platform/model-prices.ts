import { type ModelPrice, roundUsd } from "../block/spend.ts";

/**
 * What models cost, in US dollars for a million tokens, for an ordinary call: no batches, no priority, no price of a region. They are
 * what the providers' pages said on this day, and go out of date; the user's file of prices goes before them.
 *
 * https://platform.claude.com/docs/en/about-claude/pricing, https://developers.openai.com/api/docs/pricing and the page of each model
 * there. A model whose price could not be found on them is not here: an unknown price is better than a wrong one.
 */
export const pricesOf = "2026-11-16";

export const modelPrices: Readonly<Record<string, ModelPrice>> = {
  "anthropic/claude-fable-5-2": { input: 8, cacheWrite: 10, output: 40 },
  "anthropic/claude-fable-5-1": { input: 10, cacheWrite: 12.5, output: 50 },
  "anthropic/claude-fable-5": { input: 10, cacheWrite: 12.5, cacheRead: 1, output: 50 },
  "anthropic/claude-opus-5-5": { input: 4, cacheWrite: 5, cacheRead: 0.2, output: 20 },
  ...same(["opus-5", "opus-4-8", "opus-4-7", "opus-4-6", "opus-4-5", "opus-4-5-20251101"].map(claude), {
    ...{ input: 5, cacheWrite: 6.25, cacheRead: 0.5, output: 25 },
  }),
  ...same(["sonnet-5-5", "sonnet-5"].map(claude), { input: 2, cacheWrite: 2.5, cacheRead: 0.2, output: 10 }),
  ...same(["sonnet-4-6", "sonnet-4-5", "sonnet-4-5-20250929"].map(claude), {
    ...{ input: 3, cacheWrite: 3.75, cacheRead: 0.3, output: 15 },
  }),
  "anthropic/claude-haiku-5-5": {
    ...{ input: 0.1, cacheWrite: 0.125, output: 0.5 },
    longPrompts: { above: 100_000, input: 0.5, cacheWrite: 0.625, output: 2.5 },
  },
  ...same(["haiku-4-5", "haiku-4-5-20251001"].map(claude), { input: 1, cacheWrite: 1.25, cacheRead: 0.1, output: 5 }),

  "openai/gpt-6.1-sol": gpt(2, 0.1, 10, 2.5),
  "openai/gpt-6-sol": gpt(2, 0.2, 10, 2.5),
  // Cheaper for a time, until at least 2026-11-21; this is what it costs otherwise.
  ...same(["openai/gpt-5.6", "openai/gpt-5.6-sol"], gpt(5, 0.5, 30, 6.25)),
  "openai/gpt-5.6-terra": gpt(2, 0.2, 12, 2.5),
  "openai/gpt-5.6-luna": gpt(0.2, 0.02, 1.2, 0.25),
  "openai/gpt-5.5": gpt(5, 0.5, 30),
  "openai/gpt-5.4": gpt(2.5, 0.25, 15),
  "openai/gpt-5.4-mini": { input: 0.75, cacheRead: 0.075, output: 4.5 },
  "openai/gpt-5.4-nano": { input: 0.2, cacheRead: 0.02, output: 1.25 },
  "openai/gpt-5.2": { input: 1.75, cacheRead: 0.175, output: 14 },
  ...same(["openai/gpt-5.1", "openai/gpt-5"], { input: 1.25, cacheRead: 0.125, output: 10 }),
  "openai/gpt-5-mini": { input: 0.25, cacheRead: 0.025, output: 2 },
  "openai/gpt-5-nano": { input: 0.05, cacheRead: 0.005, output: 0.4 },
  "openai/gpt-4.1": { input: 2, cacheRead: 0.5, output: 8 },
  "openai/gpt-4.1-mini": { input: 0.4, cacheRead: 0.1, output: 1.6 },
  "openai/gpt-4.1-nano": { input: 0.1, cacheRead: 0.025, output: 0.4 },
  "openai/gpt-4o": { input: 2.5, cacheRead: 1.25, output: 10 },
  "openai/gpt-4o-mini": { input: 0.15, cacheRead: 0.075, output: 0.6 },
};

function claude(name: string): string {
  return `anthropic/claude-${name}`;
}

function same(names: readonly string[], price: ModelPrice): Record<string, ModelPrice> {
  return Object.fromEntries(names.map((name) => [name, price]));
}

/**
 * Of a million tokens of context: beyond 272,000 tokens of input twice the input and one and a half times the output. Newer ones keep what is
 * sent for later calls without being asked, and take a price for that.
 */
function gpt(input: number, cacheRead: number, output: number, cacheWrite: number = input): ModelPrice {
  const long = {
    input: 2 * input,
    cacheRead: 2 * cacheRead,
    cacheWrite: 2 * cacheWrite,
    output: roundUsd(1.5 * output),
  };
  return { input, cacheRead, cacheWrite, output, longPrompts: { above: 272_000, ...long } };
}
