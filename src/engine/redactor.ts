import type { OutputFilter } from "../block/ports.ts";
import { isList, isMap, type Value, type ValueMap } from "../expression/value.ts";
import { BytePatterns } from "../util/byte-patterns.ts";
import { PatternReplacer, type ReplacerOptions } from "../util/pattern-replacer.ts";
import { spellingsOf } from "../util/spellings.ts";

/** Commands print texts of several lines line by line, but a short line says too little to be looked for everywhere. */
const shortestLine = 8;
/** A line is broken by two characters at most. */
const fewestBreaks = 2;
/** Bounds the memory for what is found in a long text. */
const sliceLength = 65_536;

/**
 * Takes secrets out of what blocks emit, in any form that `spellingsOf` knows, also when line breaks were put in or taken out.
 * Other things may happen to a secret on its way through a command, so this is the last line of defence, not the first.
 */
export class Redactor {
  readonly #options: ReplacerOptions | undefined;

  constructor(secrets: ReadonlyMap<string, string>) {
    this.#options = secrets.size === 0 ? undefined : optionsFor(secrets);
  }

  /** There is nothing to look for. */
  get isIdle(): boolean {
    return this.#options === undefined;
  }

  text(text: string): string {
    if (this.#options === undefined) return text;
    const bytes = Buffer.from(text);
    const replacer = new PatternReplacer(this.#options);
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += sliceLength) {
      pieces.push(replacer.write(bytes.subarray(at, at + sliceLength)));
    }
    pieces.push(replacer.end());
    return replacer.hasReplaced ? Buffer.concat(pieces).toString() : text;
  }

  /** Also in keys, and in numbers, which then become texts. */
  value(value: Value): Value {
    if (this.#options === undefined || value === null || typeof value === "boolean") return value;
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") {
      const text = String(value);
      const redacted = this.text(text);
      return redacted === text ? value : redacted;
    }
    if (isList(value)) return value.map((item) => this.value(item));
    return isMap(value) ? this.map(value) : value;
  }

  map(map: ValueMap): ValueMap {
    if (this.#options === undefined) return map;
    const redacted = Object.create(null) as Record<string, Value>;
    for (const [key, item] of Object.entries(map)) redacted[this.text(key)] = this.value(item);
    return redacted;
  }

  /** For bytes that come one after another. Without secrets there is nothing to do. */
  stream(): OutputFilter | undefined {
    return this.#options === undefined ? undefined : new PatternReplacer(this.#options);
  }

  isIn(bytes: Uint8Array): boolean {
    return this.#options !== undefined && isIn(bytes, this.#options);
  }
}

function optionsFor(secrets: ReadonlyMap<string, string>): ReplacerOptions {
  const values = [...secrets.values()];
  const patterns = new BytePatterns(
    values.flatMap((value, label) => {
      const spellings = new Set(partsOf(value).flatMap((part) => [...spellingsOf(part)]));
      return [...spellings].map((spelling) => ({ bytes: Buffer.from(withoutBreaks(spelling)), label }));
    }),
  );
  const mostBreaks = Math.max(fewestBreaks, ...values.map(longestBreak));
  const named = [...secrets.keys()].map((name) => Buffer.from(`[secret ${name}]`));
  const options = { patterns, replacements: named, mostBreaks };
  // What takes a secret's place must not hold one: somebody's secret may be 'secret'.
  return named.some((marker) => isIn(marker, options)) ? { ...options, replacements: named.map(() => plain) } : options;
}

const plain = Buffer.from("***");

function isIn(bytes: Uint8Array, options: ReplacerOptions): boolean {
  const replacer = new PatternReplacer(options);
  for (let at = 0; at < bytes.length && !replacer.hasReplaced; at += sliceLength) {
    replacer.write(bytes.subarray(at, at + sliceLength));
  }
  replacer.end();
  return replacer.hasReplaced;
}

function partsOf(value: string): string[] {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim());
  return [value, value.trim(), ...lines.filter((line) => line.length >= shortestLine)];
}

function withoutBreaks(text: string): string {
  return text.replaceAll(/[\r\n]/g, "");
}

function longestBreak(value: string): number {
  return Math.max(0, ...[...value.matchAll(/[\r\n]+/g)].map(([breaks]) => breaks.length));
}
