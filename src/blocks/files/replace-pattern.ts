import { createRequire } from "node:module";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BlockContext } from "../../block/define-block.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { type PatternFlag, type RegexReplace, resultTooLong } from "./edit-operations.ts";
import { OperationFailed } from "./file-operation.ts";

type Runtime = typeof import("re2js").RE2JS;
type Pattern = ReturnType<Runtime["compile"]>;
type Matcher = ReturnType<Pattern["matcher"]>;

/** Most workflows use no pattern, so the engine is loaded by the first that does. */
let loaded: Runtime | undefined;

function loadEngine(): Runtime {
  loaded ??= (createRequire(import.meta.url)("re2js") as typeof import("re2js")).RE2JS;
  return loaded;
}

export interface Replacement {
  readonly pattern: Pattern;
  /** Texts, and groups by their number. */
  readonly pieces: readonly (string | number)[];
  readonly most: number;
}

const longestPattern = 1_000;

/** The error says what is wrong with an operation that can't work on any text. */
export function prepareReplacement(operation: RegexReplace): Result<Replacement, string> {
  const pattern = compile(operation);
  if (!pattern.ok) return pattern;
  const pieces = parseReplacement(String(operation.replacement), pattern.value);
  if (!pieces.ok) return pieces;
  const { count } = operation;
  return ok({ pattern: pattern.value, pieces: pieces.value, most: count === -1 ? Number.POSITIVE_INFINITY : count });
}

function compile({ pattern, flags }: RegexReplace): Result<Pattern, string> {
  if (pattern.length > longestPattern) return err(`the pattern is longer than ${longestPattern} characters`);
  const engine = loadEngine();
  const has = (letter: string, name: PatternFlag): boolean =>
    typeof flags === "string" ? flags.includes(letter) : flags.includes(name);
  const bits =
    (has("i", "IGNORECASE") ? engine.CASE_INSENSITIVE : 0) |
    (has("m", "MULTILINE") ? engine.MULTILINE : 0) |
    (has("s", "DOTALL") ? engine.DOTALL : 0);
  try {
    return ok(engine.compile(pattern, bits));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : String(error);
    return err(
      `'${pattern}' is not a valid pattern: ${reason.slice(0, 200)}. Patterns are RE2's: no lookahead, no \\1.`,
    );
  }
}

function parseReplacement(text: string, pattern: Pattern): Result<(string | number)[], string> {
  const backslash = /\\(\d|g<)/.exec(text);
  if (backslash !== null) {
    return err(`'${backslash[0]}' in the replacement is no group: write $1 or $<name>`);
  }
  const pieces: (string | number)[] = [];
  for (const part of text.split(/(\$(?:[$&]|\d{1,2}|<\w+>))/)) {
    const piece = readPiece(part, pattern);
    if (piece === undefined) return err(`the pattern has no group for '${part}' in the replacement`);
    pieces.push(piece);
  }
  return ok(pieces);
}

function readPiece(part: string, pattern: Pattern): string | number | undefined {
  if (!part.startsWith("$") || part === "$") return part;
  if (part === "$$") return "$";
  if (part === "$&") return 0;
  const digits = /^\$(\d+)$/.exec(part)?.[1];
  if (digits !== undefined) return Number(digits) <= pattern.groupCount() ? Number(digits) : undefined;
  const name = /^\$<(\w+)>$/.exec(part)?.[1];
  if (name === undefined) return part;
  const groups = pattern.namedGroups();
  return Object.hasOwn(groups, name) ? groups[name] : undefined;
}

/** Instructions times characters of a single search, which nothing can interrupt. */
const mostWork = 200_000_000;
/** Every match begins a search of its own, so many of them can take time in proportion to the square of the text. */
const mostMs = 5_000;
const breathMs = 20;

/** The text with everything replaced that matches; nothing when nothing does. */
export async function replacePattern(
  text: string,
  { pattern, pieces, most }: Replacement,
  mostCharacters: number,
  { clock, signal }: BlockContext,
): Promise<string | undefined> {
  if (pattern.programSize() * text.length > mostWork)
    throw new OperationFailed("the text is too long for this pattern");
  const started = clock.monotonic();
  let lastBreath = started;
  const made: string[] = [];
  let length = text.length;
  let copied = 0;
  const matcher = pattern.matcher(text);
  for (let found = 0; found < most && matcher.find(); found++) {
    const replacement = fill(pieces, matcher);
    length += replacement.length - (matcher.end() - matcher.start());
    if (length > mostCharacters) throw new OperationFailed(resultTooLong);
    made.push(text.slice(copied, matcher.start()), replacement);
    copied = matcher.end();
    const now = clock.monotonic();
    if (now - started > mostMs) throw new OperationFailed("the pattern takes too long on this text");
    if (now - lastBreath < breathMs) continue;
    await nextTurn();
    signal.throwIfAborted();
    lastBreath = clock.monotonic();
  }
  return made.length === 0 ? undefined : made.join("") + text.slice(copied);
}

function fill(pieces: readonly (string | number)[], matcher: Matcher): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : (matcher.group(piece) ?? ""))).join("");
}
