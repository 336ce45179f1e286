import type { ModelPrice } from "../block/spend.ts";
import { readYaml } from "../definition/read-yaml.ts";
import { describeNode, type YamlEntry, type YamlMap, type YamlNode } from "../definition/yaml-node.ts";
import { didYouMean } from "../diagnostic/did-you-mean.ts";
import { positionAt, type Range } from "../diagnostic/source.ts";

export interface PriceFile {
  /** By model. Of a model whose entry can't be read there is none, and nobody is to take another price for it. */
  readonly prices: ReadonlyMap<string, ModelPrice | undefined>;
  /** What is wrong, each with its line. */
  readonly problems: readonly string[];
}

/** How the fields of a price are written. */
const fields = { input: "input", output: "output", cache_read: "cacheRead", cache_write: "cacheWrite" } as const;

/** Reads `provider/name: { input: 3, output: 15 }`, in US dollars for a million tokens. */
export function readPriceFile(name: string, text: string): PriceFile {
  const problems: string[] = [];
  const prices = new Map<string, ModelPrice | undefined>();
  const report = (range: Range | undefined, message: string): void => {
    const line = range === undefined ? "" : `:${positionAt(range.source, range.start).line}`;
    problems.push(`${name}${line}: ${message}`);
  };
  const read = readYaml({ name, text });
  if (!read.ok) {
    for (const { range, message } of read.error) report(range, message);
  } else if (read.value.kind !== "map") {
    report(read.value.range, `prices are a map of models, not ${describeNode(read.value)}.`);
  } else {
    for (const entry of read.value.entries) prices.set(entry.key, readPrice(entry, report));
  }
  return { prices, problems };
}

type Report = (range: Range, message: string) => void;

function readPrice({ key, keyRange, value }: YamlEntry, report: Report): ModelPrice | undefined {
  if (!/^[^/]+\/./.test(key)) {
    report(keyRange, `'${key}' names no model: write provider/name, such as anthropic/${key}.`);
    return undefined;
  }
  if (value.kind !== "map") {
    report(
      value.range,
      `the price of '${key}' must be a map such as { input: 3, output: 15 }, not ${describeNode(value)}.`,
    );
    return undefined;
  }
  const long = value.entries.find((entry) => entry.key === "long_prompts");
  const price = readRates(`the price of '${key}'`, value, ["long_prompts"], report);
  if (long === undefined || price === undefined) return price;
  if (long.value.kind !== "map") {
    report(long.value.range, `'long_prompts' of '${key}' must be a map with above, input and output.`);
    return undefined;
  }
  const above = long.value.entries.find((entry) => entry.key === "above");
  const limit = above === undefined ? undefined : readNumber(`'above' of '${key}'`, above.value, report);
  if (above === undefined) report(long.keyRange, `'long_prompts' of '${key}' has no 'above'.`);
  const rates = readRates(`'long_prompts' of '${key}'`, long.value, ["above"], report);
  return limit === undefined || rates === undefined ? undefined : { ...price, longPrompts: { above: limit, ...rates } };
}

function readRates(what: string, map: YamlMap, others: readonly string[], report: Report): ModelPrice | undefined {
  const rates: Partial<Record<(typeof fields)[keyof typeof fields], number>> = {};
  let isWhole = true;
  for (const { key, keyRange, value } of map.entries) {
    if (others.includes(key)) continue;
    if (!Object.hasOwn(fields, key)) {
      const known = [...Object.keys(fields), ...others];
      report(keyRange, `${what} has no field '${key}'. ${didYouMean(key, known) ?? `There are ${known.join(", ")}.`}`);
      isWhole = false;
      continue;
    }
    const rate = readNumber(`'${key}' of ${what}`, value, report);
    if (rate === undefined) isWhole = false;
    else rates[fields[key as keyof typeof fields]] = rate;
  }
  for (const needed of ["input", "output"]) {
    if (map.entries.some(({ key }) => key === needed)) continue;
    report(map.range, `${what} has no '${needed}'.`);
    isWhole = false;
  }
  const { input, output } = rates;
  return isWhole && input !== undefined && output !== undefined ? { ...rates, input, output } : undefined;
}

function readNumber(what: string, node: YamlNode, report: Report): number | undefined {
  const value = node.kind === "scalar" ? node.value : undefined;
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  report(node.range, `${what} must be a number, 0 or more, not ${describeNode(node)}.`);
  return undefined;
}
