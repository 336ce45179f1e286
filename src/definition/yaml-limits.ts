import { type CST, Lexer, Parser } from "yaml";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { Range, Source } from "../diagnostic/source.ts";
import { err, ok, type Result } from "../util/result.ts";

/** What a file may hold. Most of it is checked before the tokens become a document, the expensive and recursive part. */
const limits = {
  bytes: 2_000_000,
  depth: 100,
  pieces: 800_000,
  mapKeys: 2_000,
  listItems: 10_000,
  aliases: 20,
  aliasedValues: 100_000,
} as const;

type Limit = keyof typeof limits;

type PlacedDiagnostic = Diagnostic & { readonly range: Range };

const broken: Record<Limit, string> = {
  bytes: `The file is larger than ${limits.bytes / 1_000_000} MB.`,
  depth: `The file is nested more than ${limits.depth} levels deep.`,
  pieces: `The file has more than ${limits.pieces / 1_000},000 tokens.`,
  mapKeys: `This map has more than ${limits.mapKeys} keys.`,
  listItems: `This list has more than ${limits.listItems} items, the most that a workflow may have of blocks or anything else.`,
  aliases: `The file uses more than ${limits.aliases} aliases.`,
  aliasedValues: `The aliases of the file stand for more than ${limits.aliasedValues} values.`,
};

export function exceeds(limit: Limit, amount: number): boolean {
  return amount > limits[limit];
}

export function limitExceeded(limit: Limit, source: Source, start: number, end: number): PlacedDiagnostic {
  return {
    code: "limit-exceeded",
    level: "error",
    message: broken[limit],
    why: "Workflow files have limits, so that a hostile or broken one costs next to nothing.",
    fix: "Split it into several workflows and call them with ExecuteWorkflow.",
    range: { source, start, end: Math.min(end, source.text.length) },
  };
}

/** What can be said of the text alone. */
export function checkText(source: Source): Diagnostic | undefined {
  const { text } = source;
  if (exceeds("bytes", text.length) || exceeds("bytes", Buffer.byteLength(text))) {
    return limitExceeded("bytes", source, 0, 1);
  }
  const at = findBinary(text);
  if (at === -1) return undefined;
  return {
    code: "not-text",
    level: "error",
    message: "The file is not text.",
    why: "It holds a control character, or bytes that are not UTF-8.",
    fix: "Give the path of a YAML file, or save it as UTF-8.",
    range: { source, start: at, end: at + 1 },
  };
}

function findBinary(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd || (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d)) return at;
  }
  return -1;
}

/** The file's tokens, read in steps: what is beyond a limit is given up as soon as that shows. */
export function readTokens(source: Source): Result<readonly CST.Token[], Diagnostic> {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let steps = 0;
  for (const lexeme of new Lexer().lex(source.text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (++steps % stepsBetweenChecks !== 0) continue;
    if (exceeds("pieces", steps)) return err(limitExceeded("pieces", source, 0, 1));
    // The parser's stack holds up to two tokens a level; waiting for the whole of a deep text takes minutes.
    if (parser.stack.length > 2 * limits.depth + stackBase)
      return err(limitExceeded("depth", source, parser.offset, parser.offset + 1));
    const tooMuch = parser.stack.map((token) => checkSize(source, token)).find((found) => found !== undefined);
    if (tooMuch !== undefined) return err(tooMuch);
    if (tokens.filter(({ type }) => type === "document").length > 1) break;
  }
  tokens.push(...parser.end());
  const tooMuch = tokens.map((token) => checkTree(source, token)).find((found) => found !== undefined);
  return tooMuch === undefined ? ok(tokens) : err(tooMuch);
}

const stepsBetweenChecks = 100;
const stackBase = 10;

/** Measured with a stack of our own, because what builds the document from the tokens recurses. */
function checkTree(source: Source, root: CST.Token): Diagnostic | undefined {
  const stack: { token: CST.Token; depth: number }[] = [{ token: root, depth: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { token, depth } = next;
    if (exceeds("depth", depth)) return limitExceeded("depth", source, token.offset, token.offset + 1);
    const tooMuch = checkSize(source, token);
    if (tooMuch !== undefined) return tooMuch;
    if (token.type === "document" && token.value) stack.push({ token: token.value, depth });
    for (const item of "items" in token ? token.items : []) {
      if (item.key) stack.push({ token: item.key, depth: depth + 1 });
      if (item.value) stack.push({ token: item.value, depth: depth + 1 });
    }
  }
  return undefined;
}

function checkSize(source: Source, token: CST.Token): Diagnostic | undefined {
  if (!("items" in token)) return undefined;
  const limit = isList(token) ? "listItems" : "mapKeys";
  if (!exceeds(limit, token.items.length) || !exceeds(limit, token.items.filter(isItem).length)) return undefined;
  return limitExceeded(limit, source, token.offset, token.offset + 1);
}

function isList(token: CST.BlockMap | CST.BlockSequence | CST.FlowCollection): boolean {
  return token.type === "block-seq" || (token.type === "flow-collection" && token.start.type === "flow-seq-start");
}

/** Comments and blank lines at the end of a collection come as an item too. */
function isItem({ start, key, value }: CST.CollectionItem): boolean {
  return key !== undefined || value !== undefined || start.some(({ type }) => type === "seq-item-ind");
}
