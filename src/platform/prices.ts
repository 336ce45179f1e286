import type { ModelPrice, Prices } from "../block/spend.ts";

/** Prices that somebody has written down himself. Of one that can't be read nobody knows it, whatever the table says. */
export type OwnPrices = ReadonlyMap<string, ModelPrice | undefined>;

/** Own prices go before those that are known; they are read when the first price is asked for. */
export function createPrices(
  known: Readonly<Record<string, ModelPrice>> = {},
  readOwn: () => OwnPrices = () => new Map(),
): Prices {
  let own: OwnPrices | undefined;
  return {
    of(model) {
      own ??= readOwn();
      if (own.has(model)) return own.get(model);
      return Object.hasOwn(known, model) ? known[model] : undefined;
    },
  };
}
