import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Range } from "../diagnostic/source.ts";
import type { ExplainKey } from "./foreign-keys.ts";
import {
  describeNode,
  type YamlEntry,
  type YamlList,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from "./yaml-node.ts";

/** Keys that a coming version will understand: refused by name, so that no file silently means less than it says. */
export type LaterKeys = Readonly<Record<string, string>>;

/** Reads the keys of one map, each at most once, and reports what is wrong with them instead of stopping. */
export class MapReader {
  readonly map: YamlMap;
  /** What the map is, for messages: `block 'build'`. */
  readonly what: string;
  readonly #report: Report;
  readonly #entries = new Map<string, YamlEntry>();
  readonly #meant = new Set<string>();

  constructor(map: YamlMap, what: string, report: Report) {
    this.map = map;
    this.what = what;
    this.#report = report;
    for (const entry of map.entries) this.#entries.set(entry.key, entry);
  }

  entry(key: string): YamlEntry | undefined {
    return this.#entries.get(key);
  }

  node(key: string): YamlNode | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Whether a key that was refused stands for this one, so that this one is not missing as well. */
  isMeant(key: string): boolean {
    return this.#meant.has(key);
  }

  refuseUnknown(known: readonly string[], later: LaterKeys = {}, explain: ExplainKey = () => undefined): void {
    for (const entry of this.map.entries) {
      const { key, keyRange } = entry;
      if (known.includes(key)) continue;
      const comesWith = Object.hasOwn(later, key) ? later[key] : undefined;
      if (comesWith !== undefined) {
        this.#report({
          code: "not-in-this-version",
          level: "error",
          message: `'${key}' is not in this version.`,
          why: `It comes with ${comesWith}.`,
          fix: `Remove '${key}' from ${this.what}.`,
          range: keyRange,
        });
        continue;
      }
      this.#report({
        code: "unknown-key",
        level: "error",
        message: `${this.what} has no key '${key}'.`,
        fix: this.#adviseOn(entry, known, explain),
        range: keyRange,
      });
    }
  }

  #adviseOn(entry: YamlEntry, known: readonly string[], explain: ExplainKey): string {
    const inFlow = this.map.range.source.text[this.map.range.start] === "{";
    if (inFlow && isNothing(entry.value)) {
      return "If it belongs to the value before it, quote that value: inside { } a comma ends an unquoted one.";
    }
    const foreign = explain(entry);
    if (foreign === undefined) return suggestName(entry.key, known, "key");
    for (const key of foreign.means) this.#meant.add(key);
    return foreign.fix;
  }

  requiredText(key: string, example: string): string | undefined {
    const node = this.node(key);
    if (node === undefined) {
      if (this.isMeant(key)) return undefined;
      this.#report({
        code: "missing-key",
        level: "error",
        message: `${this.what} has no '${key}'.`,
        fix: `Add \`${key}: ${example}\`.`,
        range: firstLine(this.map.range),
      });
      return undefined;
    }
    return this.text(key);
  }

  text(key: string): string | undefined {
    const scalar = this.#scalar(key, "a text");
    if (scalar === undefined) return undefined;
    if (typeof scalar.value === "string" && scalar.value.trim() !== "") return scalar.value;
    if (typeof scalar.value === "number" || typeof scalar.value === "boolean") return scalar.written;
    this.wrongType(key, "a text");
    return undefined;
  }

  boolean(key: string): boolean | undefined {
    const scalar = this.#scalar(key, "true or false");
    if (scalar === undefined) return undefined;
    if (typeof scalar.value === "boolean") return scalar.value;
    this.wrongType(key, "true or false");
    return undefined;
  }

  positiveInteger(key: string): number | undefined {
    const scalar = this.#scalar(key, "a whole number above 0");
    if (scalar === undefined) return undefined;
    if (Number.isInteger(scalar.value) && (scalar.value as number) > 0) return scalar.value as number;
    this.wrongType(key, "a whole number above 0");
    return undefined;
  }

  oneOf<T extends string>(key: string, choices: readonly T[]): T | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    if ((choices as readonly string[]).includes(text)) return text as T;
    this.#report({
      code: "unknown-value",
      level: "error",
      message: `'${key}' can't be '${text}'.`,
      fix: suggestName(text, choices, "value"),
      range: (this.node(key) as YamlNode).range,
    });
    return undefined;
  }

  mapAt(key: string): YamlMap | undefined {
    const node = this.node(key);
    if (node === undefined || isNothing(node)) return undefined;
    if (node.kind === "map") return node;
    this.wrongType(key, "a map");
    return undefined;
  }

  listAt(key: string): YamlList | undefined {
    const node = this.node(key);
    if (node === undefined || isNothing(node)) return undefined;
    if (node.kind === "list") return node;
    this.wrongType(key, "a list", node.kind === "scalar" ? `Write \`${key}: [${node.written}]\`.` : undefined);
    return undefined;
  }

  wrongType(key: string, expected: string, fix?: string): void {
    const node = this.node(key) as YamlNode;
    this.#report({
      code: "wrong-type",
      level: "error",
      message: `'${key}' of ${this.what} must be ${expected}, not ${describeNode(node)}.`,
      ...(fix === undefined ? {} : { fix }),
      range: node.range,
    });
  }

  #scalar(key: string, expected: string): YamlScalar | undefined {
    const node = this.node(key);
    if (node === undefined) return undefined;
    if (node.kind === "scalar") return node;
    this.wrongType(key, expected);
    return undefined;
  }
}

export function isNothing(node: YamlNode): boolean {
  return node.kind === "scalar" && node.value === null;
}

/** The first line of a range: enough to show where a whole map stands. */
export function firstLine(range: Range): Range {
  const lineEnd = range.source.text.indexOf("\n", range.start);
  return lineEnd === -1 || lineEnd > range.end ? range : { ...range, end: Math.max(lineEnd, range.start + 1) };
}
