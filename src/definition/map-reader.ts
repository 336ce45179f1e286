import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Range } from "../diagnostic/source.ts";
import { defined } from "../util/defined.ts";
import type { FileReport } from "./value-template.ts";
import {
  describeNode,
  type YamlEntry,
  type YamlList,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from "./yaml-node.ts";

/** A map whose keys are read, and which reports what is wrong with them instead of stopping. */
export class MapReader {
  readonly map: YamlMap;
  /** What the map is, for messages: `block 'build'`. */
  readonly what: string;
  readonly report: FileReport;
  /** Keys for which a refused one stands, so that they are not missing as well. */
  readonly meant: Set<string> = new Set();
  readonly #entries = new Map<string, YamlEntry>();

  constructor(map: YamlMap, what: string, report: FileReport) {
    this.map = map;
    this.what = what;
    this.report = report;
    for (const entry of map.entries) this.#entries.set(entry.key, entry);
  }

  entry(key: string): YamlEntry | undefined {
    return this.#entries.get(key);
  }

  node(key: string): YamlNode | undefined {
    return this.#entries.get(key)?.value;
  }
}

/** One key of a map, which may not be there. What is read is undefined then, and also when it is wrong. */
export class KeyReader {
  readonly map: MapReader;
  readonly name: string;
  readonly report: FileReport;
  readonly entry: YamlEntry | undefined;
  readonly node: YamlNode | undefined;

  constructor(map: MapReader, name: string) {
    this.map = map;
    this.name = name;
    this.report = map.report;
    this.entry = map.entry(name);
    this.node = this.entry?.value;
  }

  /** What the map is, for messages. */
  get what(): string {
    return this.map.what;
  }

  /** Of the value, or of the map where there is none. */
  get range(): Range {
    return this.node?.range ?? firstLine(this.map.map.range);
  }

  text(): string | undefined {
    const scalar = this.#scalar("a text");
    if (scalar === undefined) return undefined;
    if (typeof scalar.value === "string" && scalar.value.trim() !== "") return scalar.value;
    if (typeof scalar.value === "number" || typeof scalar.value === "boolean") return scalar.written;
    return this.wrongType("a text");
  }

  boolean(): boolean | undefined {
    const value = this.#scalar("true or false")?.value;
    return value === undefined || typeof value === "boolean" ? value : this.wrongType("true or false");
  }

  integer(expected: string, least: number, most: number = Number.POSITIVE_INFINITY): number | undefined {
    const value = this.#scalar(expected)?.value;
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
    return this.wrongType(expected);
  }

  oneOf<T extends string>(choices: readonly T[]): T | undefined {
    const text = this.text();
    if (text === undefined) return undefined;
    if ((choices as readonly string[]).includes(text)) return text as T;
    this.report({
      code: "unknown-value",
      level: "error",
      message: `'${this.name}' can't be '${text}'.`,
      fix: suggestName(text, choices, "value"),
      range: this.range,
    });
    return undefined;
  }

  mapAt(): YamlMap | undefined {
    const { node } = this;
    if (node === undefined || isNothing(node)) return undefined;
    return node.kind === "map" ? node : this.wrongType("a map");
  }

  listAt(): YamlList | undefined {
    const { node } = this;
    if (node === undefined || isNothing(node)) return undefined;
    if (node.kind === "list") return node;
    return this.wrongType("a list", node.kind === "scalar" ? `Write \`${this.name}: [${node.written}]\`.` : undefined);
  }

  wrongType(expected: string, fix?: string): undefined {
    const node = this.node as YamlNode;
    this.report({
      code: "wrong-type",
      level: "error",
      message: `'${this.name}' of ${this.what} must be ${expected}, not ${describeNode(node)}.`,
      ...defined({ fix }),
      range: node.range,
    });
  }

  #scalar(expected: string): YamlScalar | undefined {
    if (this.node === undefined || this.node.kind === "scalar") return this.node;
    return this.wrongType(expected);
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
