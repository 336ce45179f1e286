/** Money and tokens. Without `usd` nobody knows the price, which is never the same as 0. */
export interface Cost {
  readonly usd?: number;
  readonly tokens?: number;
}

/** What something has cost so far. */
export interface Spend {
  /** As far as prices are known. */
  readonly usd: number;
  readonly tokens: number;
  /** A part of it has a price that nobody knows. */
  readonly unpriced?: true;
}

/** What models cost, by `provider/name`. */
export interface Prices {
  of(model: string): ModelPrice | undefined;
}

/** In US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of input that the provider had kept from an earlier call; without it, as any input. */
  readonly cacheRead?: number;
  /** Of input that the provider keeps for later calls. */
  readonly cacheWrite?: number;
  /** What holds instead for the whole of a call with more input than this many tokens. */
  readonly longPrompts?: Omit<ModelPrice, "longPrompts"> & { readonly above: number };
}

/**
 * Dollars are kept as the number nearest to a whole count of billionths, so that sums do not depend on their order and can be compared
 * with limits: 0.1 and 0.2 are 0.3. A token of the cheapest model costs more than a billionth.
 */
export function roundUsd(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}

export function addCost(sum: Spend | undefined, { usd, tokens = 0 }: Cost): Spend {
  const isPriced = usd !== undefined && sum?.unpriced !== true;
  return {
    usd: roundUsd((sum?.usd ?? 0) + (usd ?? 0)),
    tokens: (sum?.tokens ?? 0) + tokens,
    ...(isPriced ? {} : { unpriced: true }),
  };
}

export function addSpend(sum: Spend | undefined, spend: Spend): Spend {
  const isPriced = spend.unpriced !== true && sum?.unpriced !== true;
  return {
    usd: roundUsd((sum?.usd ?? 0) + spend.usd),
    tokens: (sum?.tokens ?? 0) + spend.tokens,
    ...(isPriced ? {} : { unpriced: true }),
  };
}

/** `$0.02`, `$1,200.50`, `$0.000004`: to the millionth, and never less than it is where it is smaller. */
export function formatUsd(usd: number): string {
  if (usd > 0 && usd < 0.000001) return "less than $0.000001";
  const text = usd.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 });
  return `$${text}`;
}
