import type { Cost, ModelPrice } from "../../block/spend.ts";
import type { ModelCall } from "./model-provider.ts";

/** Tokens of one answer; what came from a cache or went into one is not counted as other input. */
export interface Usage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

export function allInput({ input = 0, cacheRead = 0, cacheWrite = 0 }: Partial<Usage>): number {
  return input + cacheRead + cacheWrite;
}

/** What this many tokens cost. Without a price nobody knows, which is not 0. */
export function costOf(usage: Partial<Usage>, price: ModelPrice | undefined): Cost {
  const tokens = allInput(usage) + (usage.output ?? 0);
  if (price === undefined) return { tokens };
  const { longPrompts } = price;
  const rate: ModelPrice = longPrompts !== undefined && allInput(usage) > longPrompts.above ? longPrompts : price;
  const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = usage;
  const millionths =
    input * rate.input +
    cacheRead * (rate.cacheRead ?? rate.input) +
    cacheWrite * (rate.cacheWrite ?? rate.input) +
    output * rate.output;
  return { usd: millionths / 1e6, tokens };
}

/** What providers put around each message, and what a tokenizer may add. */
const aroundMessage = 100;

/**
 * The most that an answer to a call can take. Tokens of text are pieces of its UTF-8, so there are never more than bytes; some
 * tokenizers normalize a text before, which can make it longer. Some providers keep input for later calls without being asked, which
 * is the dearest kind of it.
 */
export function mostUsage({ system = "", messages, maxTokens }: ModelCall): Usage {
  const texts = [system, ...messages.map(({ content }) => content)];
  const sent = texts.reduce((sum, text) => sum + mostTokens(text) + aroundMessage, 0);
  return { input: 0, cacheRead: 0, cacheWrite: sent, output: maxTokens };
}

function mostTokens(text: string): number {
  return Math.max(Buffer.byteLength(text), Buffer.byteLength(text.normalize("NFKC")));
}

/** What was told, and the most that it can have been where nothing was. */
export function coverUnknown(told: Partial<Usage>, most: Usage): Usage {
  const { input, cacheRead = 0, cacheWrite = 0, output = most.output } = told;
  return input === undefined ? { ...most, output } : { input, cacheRead, cacheWrite, output };
}

/** Tells what a call costs, each part once, as more and more of it is known. */
export class SpendMeter {
  readonly #price: ModelPrice | undefined;
  readonly #spend: (cost: Cost) => void;
  #told: Cost = { usd: 0, tokens: 0 };

  constructor(price: ModelPrice | undefined, spend: (cost: Cost) => void) {
    this.#price = price;
    this.#spend = spend;
  }

  tell(usage: Partial<Usage>): void {
    const now = costOf(usage, this.#price);
    const tokens = (now.tokens ?? 0) - (this.#told.tokens ?? 0);
    if (tokens === 0 && (now.usd ?? 0) === (this.#told.usd ?? 0)) return;
    const usd = now.usd === undefined ? {} : { usd: now.usd - (this.#told.usd ?? 0) };
    this.#spend({ ...usd, tokens });
    this.#told = now;
  }
}
