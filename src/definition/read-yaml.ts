import { type Alias, Composer, type Document, isAlias, isMap, isScalar, isSeq, type Scalar } from "yaml";
import { type Collected, collectDiagnostics, type Report } from "../diagnostic/collect-diagnostics.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { positionAt, type Range, type Source } from "../diagnostic/source.ts";
import { err, ok, type Result } from "../util/result.ts";
import { customTag, explainYamlError } from "./explain-yaml-error.ts";
import { checkText, exceeds, limitExceeded, readTokens } from "./yaml-limits.ts";
import type { ScalarStyle, YamlEntry, YamlNode } from "./yaml-node.ts";

/**
 * Reads one YAML document within limits that hold before anything expensive happens: a hostile file costs a bounded time and
 * ends in a diagnostic. Duplicate keys are checked here because the parser's own check is quadratic.
 */
export function readYaml(source: Source): Result<YamlNode, readonly Diagnostic[]> {
  const { value, diagnostics } = readFaultyYaml(source);
  return value === undefined || diagnostics.length > 0 ? err(diagnostics) : ok(value);
}

/** The same for those who want to go on and see what else is wrong. No value where what follows would be an echo. */
export function readFaultyYaml(source: Source): Collected<YamlNode | undefined> {
  const refused = checkText(source);
  if (refused !== undefined) return { diagnostics: [refused] };

  const tokens = readTokens(source);
  if (!tokens.ok) return { diagnostics: [tokens.error] };
  const composer = new Composer({ uniqueKeys: false, logLevel: "silent" });
  const documents = composer.compose(tokens.value, true, source.text.length);
  const document = documents.next().value as Document.Parsed;
  const syntaxError = document.errors[0];
  // Later errors of the parser are nearly always echoes of the first, so only that one is worth a reader's time.
  if (syntaxError !== undefined) return { diagnostics: [explainYamlError(source, syntaxError)] };
  const another = documents.next();
  if (another.done !== true) return { diagnostics: [severalDocuments(source, another.value as Document.Parsed)] };
  if (document.contents === null) return { diagnostics: [emptyFile(source)] };
  const { contents } = document;
  return collectDiagnostics((report) => {
    const converter = new Converter(source, report);
    const value = converter.convert(contents, 0);
    return converter.isIncomplete ? undefined : value;
  });
}

function severalDocuments(source: Source, second: Document.Parsed): Diagnostic {
  return {
    code: "several-documents",
    level: "error",
    message: "The file holds more than one YAML document.",
    fix: "Keep one workflow per file and remove the `---` between them.",
    range: rangeOf(source, second.contents?.range ?? second.range),
  };
}

function emptyFile(source: Source): Diagnostic {
  return {
    code: "empty-file",
    level: "error",
    message: "The file is empty.",
    fix: "A workflow needs at least name, description and blocks.",
    range: rangeOf(source, [0, Math.min(1, source.text.length)]),
  };
}

function rangeOf(source: Source, range: readonly number[]): Range {
  return { source, start: range[0] ?? 0, end: range[1] ?? range[0] ?? 0 };
}

const styles: Record<string, ScalarStyle> = {
  PLAIN: "plain",
  QUOTE_SINGLE: "single",
  QUOTE_DOUBLE: "double",
  BLOCK_LITERAL: "literal",
  BLOCK_FOLDED: "folded",
};

const plainTags: ReadonlySet<string> = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`),
);

class Converter {
  /** Whether something is missing in what it gives, so that more would be found wrong with it than there is. */
  isIncomplete = false;
  readonly #source: Source;
  readonly #report: Report;
  readonly #refused = new Set<string>();
  readonly #anchors = new Map<string, unknown>();
  readonly #open = new Set<unknown>();
  #aliases = 0;
  /** How many aliases stand around what is being converted. */
  #following = 0;
  #aliasedValues = 0;

  constructor(source: Source, report: Report) {
    this.#source = source;
    this.#report = report;
  }

  convert(node: unknown, depth: number): YamlNode {
    const range = this.#range(node);
    if (this.#following > 0 && exceeds("aliasedValues", ++this.#aliasedValues)) {
      return this.#refuse(limitExceeded("aliasedValues", this.#source, range.start, range.end));
    }
    if (exceeds("depth", depth)) return this.#refuse(limitExceeded("depth", this.#source, range.start, range.end));
    if (isAlias(node)) return this.#followAlias(node, range, depth);
    if (isMap(node) || isSeq(node) || isScalar(node)) {
      if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
      if (node.tag !== undefined && !plainTags.has(node.tag)) {
        this.isIncomplete = true;
        this.#report(customTag(node.tag, range));
      }
    }
    if (isMap(node)) {
      this.#open.add(node);
      const entries = this.#entries(node.items as readonly { key: unknown; value: unknown }[], depth);
      this.#open.delete(node);
      return { kind: "map", entries, range };
    }
    if (isSeq(node)) {
      this.#open.add(node);
      const items = node.items.map((item) => this.convert(item, depth + 1));
      this.#open.delete(node);
      return { kind: "list", items, range };
    }
    if (isScalar(node)) return this.#scalar(node, range);
    return { kind: "scalar", value: null, written: "", style: "plain", range };
  }

  #scalar(node: Scalar, range: Range): YamlNode {
    const { value } = node;
    const written = this.#source.text.slice(range.start, range.end);
    if (typeof value === "number" && losesDigits(value, written)) {
      const message = `The number ${written} can't be kept exactly.`;
      this.#problem(range, "quote-this-value", message, "Quote this value if it is text, such as an id.");
    }
    const simple =
      value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "number";
    return {
      kind: "scalar",
      value: simple ? value : String(value),
      written,
      style: styles[node.type ?? "PLAIN"] ?? "plain",
      range,
    };
  }

  #entries(items: readonly { key: unknown; value: unknown }[], depth: number): YamlEntry[] {
    const seen = new Map<string, Range>();
    const entries: YamlEntry[] = [];
    for (const item of items) {
      const keyRange = this.#range(item.key);
      if (!isScalar(item.key) || item.key.value === null) {
        this.#problem(keyRange, "bad-key", "A key must be a plain word.", "Write the key as text.");
        continue;
      }
      const key =
        typeof item.key.value === "string" ? item.key.value : this.#source.text.slice(keyRange.start, keyRange.end);
      if (key === "<<" && item.key.type === "PLAIN") {
        this.isIncomplete = true;
        this.#problem(keyRange, "merge-key", "Merge keys are not part of the language.", "Write the keys out.");
        continue;
      }
      const first = seen.get(key);
      if (first !== undefined) {
        const { line } = positionAt(this.#source, first.start);
        this.#problem(
          keyRange,
          "duplicate-key",
          `The key '${key}' is there twice.`,
          `Remove one; the first is on line ${line}.`,
        );
        continue;
      }
      seen.set(key, keyRange);
      entries.push({ key, keyRange, value: this.convert(item.value, depth + 1) });
    }
    return entries;
  }

  #followAlias(alias: Alias, range: Range, depth: number): YamlNode {
    if (exceeds("aliases", ++this.#aliases)) {
      return this.#refuse(limitExceeded("aliases", this.#source, range.start, range.end));
    }
    const target = this.#anchors.get(alias.source);
    if (target === undefined) {
      return this.#refuse({
        code: "unknown-alias",
        level: "error",
        message: `There is no anchor &${alias.source} before this alias.`,
        fix: "Define the anchor first, or quote the value if the * is meant as text.",
        range,
      });
    }
    if (this.#open.has(target)) {
      return this.#refuse({
        code: "alias-cycle",
        level: "error",
        message: `The alias *${alias.source} stands inside what it names.`,
        fix: "Write the value out.",
        range,
      });
    }
    this.#following++;
    const node = this.convert(target, depth);
    this.#following--;
    return node;
  }

  #refuse(diagnostic: Diagnostic & { readonly range: Range }): YamlNode {
    this.isIncomplete = true;
    // One limit passed is enough: the same one is passed again by everything after it.
    if (!this.#refused.has(diagnostic.message)) this.#report(diagnostic);
    this.#refused.add(diagnostic.message);
    return { kind: "scalar", value: null, written: "", style: "plain", range: diagnostic.range };
  }

  #problem(range: Range, code: string, message: string, fix: string): void {
    this.#report({ code, level: "error", message, fix, range });
  }

  #range(node: unknown): Range {
    const range = (node as { range?: readonly number[] } | null | undefined)?.range;
    return rangeOf(this.#source, range ?? [0, 0]);
  }
}

function losesDigits(value: number, written: string): boolean {
  if (!Number.isFinite(value)) return true;
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^[+-]?\d+$/.test(written);
}
