import fc from "fast-check";
import { expect, test } from "vitest";
import { anthropicEvents, openaiEvents, type Said } from "../../../test/rig/model-server.ts";
import type { BlockContext } from "../../block/define-block.ts";
import type { HttpRequest } from "../../block/ports.ts";
import type { Cost } from "../../block/spend.ts";
import { anthropic } from "./anthropic.ts";
import { type AskedModel, askModel } from "./ask-model.ts";
import type { ModelProvider } from "./model-provider.ts";
import { openai } from "./openai.ts";

/** Asks a model whose stream comes in these pieces, and then ends. */
async function ask(provider: ModelProvider, pieces: readonly Uint8Array[]) {
  const shown: Uint8Array[] = [];
  const costs: Cost[] = [];
  const head = { status: 200, headers: {} };
  const request = async ({ streamBody }: HttpRequest): Promise<unknown> => {
    const take = streamBody?.(head);
    for (const piece of pieces) if (take?.(piece) === "enough") break;
    return { ok: true, value: { ...head, body: new Uint8Array(), url: "https://example.com/", redirects: 0 } };
  };
  const context = {
    http: { request },
    prices: { of: () => ({ input: 3, output: 15 }) },
    spend: (cost: Cost) => costs.push(cost),
    log: (_stream: string, chunk: Uint8Array) => shown.push(chunk),
    signal: new AbortController().signal,
  } as unknown as BlockContext;
  const call = { model: "m", messages: [{ role: "user", content: "x" }], maxTokens: 10 } as const;
  const rest = { provider, fullName: "a/m", baseUrl: "https://example.com", allowPrivate: false, call };
  const asked: AskedModel = await askModel(rest, context);
  const tokens = costs.reduce((sum, cost) => sum + (cost.tokens ?? 0), 0);
  return { asked, shown: Buffer.concat(shown).toString(), tokens };
}

function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieces.at(-1)?.length ?? 0) {
    pieces.push(bytes.subarray(at, at + (lengths[pieces.length % lengths.length] ?? 1)));
  }
  return pieces;
}

const said = fc.record({
  text: fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  tokensIn: fc.nat(1000),
  tokensOut: fc.nat(1000),
});
const lengths = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 });

test.each([
  { provider: anthropic, wire: anthropicEvents },
  { provider: openai, wire: openaiEvents },
])(
  "$provider.name: answer, log and cost are the same wherever the stream is cut into pieces",
  async ({ provider, wire }) => {
    const property = fc.asyncProperty(said, lengths, fc.nat(2000), async (answer: Said, cuts, lost) => {
      const { begin, last } = wire(answer);
      const whole = Buffer.from([...begin, ...last].join(""));
      const all = await ask(provider, cut(whole, cuts));
      expect(all).toEqual(await ask(provider, [whole]));
      expect(all).toMatchObject({ shown: answer.text, asked: { status: 200, answer: { text: answer.text } } });
      expect(all.tokens).toBe((answer.tokensIn ?? 0) + (answer.tokensOut ?? 0));
      // Whatever is lost of its end, it is never taken for whole.
      const rest = whole.subarray(0, Math.max(0, whole.length - 2 - lost));
      const short = await ask(provider, cut(rest, cuts));
      expect(short.asked.failure?.message).toMatch(/^stream cut after (\d+ characters|one character)$/);
      expect(answer.text.startsWith(short.asked.answer.text)).toBe(true);
    });
    await fc.assert(property, { numRuns: 150, seed: 11 });
  },
);
