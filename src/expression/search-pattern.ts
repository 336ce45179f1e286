import { createRequire } from "node:module";
import { fail } from "./evaluation-problem.ts";
import { quoteText } from "./format-value.ts";
import type { Call } from "./function-definition.ts";

const longestPattern = 1_000;
const workPerInstruction = 2;
const workPerPatternCharacter = 2_000;

type Runtime = typeof import("re2js").RE2JS;
type Pattern = ReturnType<Runtime["compile"]>;

let engine: Runtime | undefined;

/** Most runs never use a pattern, so the engine is loaded by the first that does. */
function loadEngine(): Runtime {
  engine ??= (createRequire(import.meta.url)("re2js") as typeof import("re2js")).RE2JS;
  return engine;
}

/**
 * Whether the pattern is found anywhere in the text. The engine takes time proportional to pattern times text and never
 * backtracks; the budget bounds that product.
 */
export function searchPattern(text: string, pattern: string, call: Call): boolean {
  const compiled = compilePaid(pattern, call);
  payForText(compiled, text, call);
  return compiled.matcher(text).find();
}

/** Says of texts, with the same bounds, whether the pattern matches them as a whole. */
export function matchPattern(pattern: string, call: Call): (text: string) => boolean {
  const compiled = compilePaid(pattern, call);
  return (text) => {
    payForText(compiled, text, call);
    return compiled.matcher(text).matches();
  };
}

function compilePaid(pattern: string, call: Call): Pattern {
  if (pattern.length > longestPattern) {
    fail(call, "limit", `The pattern has ${pattern.length} characters; ${longestPattern} is the most one may have.`);
  }
  call.budget.spend(pattern.length * workPerPatternCharacter, call);
  return compile(pattern, call);
}

function payForText(compiled: Pattern, text: string, call: Call): void {
  call.budget.spend(compiled.programSize() * (text.length + longestPattern) * workPerInstruction, call);
}

function compile(pattern: string, call: Call): Pattern {
  try {
    return loadEngine().compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : String(error);
    return fail(
      call,
      "invalid-pattern",
      `${quoteText(pattern)} is not a valid pattern: ${reason.slice(0, 200)}. Patterns are RE2's: no lookahead, no \\1.`,
    );
  }
}

export interface OpenPattern {
  /** How many instructions each character may take. */
  readonly size: number;
  /** Where in a text the pattern is first found; -1 where it is not. */
  readonly indexIn: (text: string) => number;
}

/** For those who bound the time that they look themselves. Nothing when it is no pattern. */
export function openPattern(pattern: string): OpenPattern | undefined {
  if (pattern.length > longestPattern) return undefined;
  try {
    const compiled = loadEngine().compile(pattern);
    return {
      size: compiled.programSize(),
      indexIn(text) {
        const matcher = compiled.matcher(text);
        return matcher.find() ? matcher.start() : -1;
      },
    };
  } catch {
    return undefined;
  }
}

/** What the engine makes of a pattern: a program whose instructions tell which characters can match. */
export function compiledProgram(pattern: string): unknown {
  const compiled = loadEngine().compile(pattern) as unknown as { readonly re2Input?: { readonly prog?: unknown } };
  return compiled.re2Input?.prog;
}
