import { defined } from "../util/defined.ts";
import type { Advice, WordAdvice } from "./advice.ts";
import { positionAt, type Range } from "./source.ts";

export type Level = "error" | "warning" | "hint";

/**
 * One problem, as data. `message` says what is wrong, `why` the rule behind it where that is not obvious, and `fix` what to do
 * next, where that is the same for every reader; `advice` where it depends on the door. Codes are stable strings (`unknown-block`), meant to be searched for and to be switched on.
 */
export interface Diagnostic {
  readonly code: string;
  readonly level: Level;
  readonly message: string;
  /** The id of the block it was found in. */
  readonly block?: string;
  readonly why?: string;
  readonly fix?: string;
  readonly advice?: Advice;
  readonly range?: Range;
}

/** The same for the readers of one door: everything to do next is in `fix`. */
export type WordedDiagnostic = Omit<Diagnostic, "advice"> & { readonly advice?: never };

export function wordDiagnostic({ advice, fix, ...rest }: Diagnostic, word: WordAdvice): WordedDiagnostic {
  const parts = [fix, advice === undefined ? undefined : word(advice)].filter((part) => part !== undefined);
  return parts.length === 0 ? rest : { ...rest, fix: parts.join(" ") };
}

/** A diagnostic as it goes over a wire or into --json: no offsets, no source text, only what a reader can use. */
export interface DiagnosticData {
  readonly code: string;
  readonly level: Level;
  readonly message: string;
  readonly block?: string;
  readonly why?: string;
  readonly fix?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly end_line?: number;
  readonly end_column?: number;
}

/** Field by field: what made the diagnostic may carry more than a diagnostic has. */
export function toData({ code, level, message, block, why, fix, range }: WordedDiagnostic): DiagnosticData {
  const { file, ...location } = locate(range);
  const isFile = range !== undefined && range.source.isInline !== true;
  return { code, level, message, ...defined({ block, why, fix }), ...(isFile ? { file } : {}), ...location };
}

type Location = Pick<DiagnosticData, "file" | "line" | "column" | "end_line" | "end_column">;

/** A range in the words of people: file, lines and columns. */
export function locate(range: Range | undefined): Location {
  if (range === undefined) return {};
  const start = positionAt(range.source, range.start);
  const end = positionAt(range.source, range.end);
  return {
    file: range.source.name,
    line: start.line,
    column: start.column,
    end_line: end.line,
    end_column: end.column,
  };
}

const rank: Record<Level, number> = { error: 0, warning: 1, hint: 2 };

/** Errors first, then warnings, then hints; within a level in the order of the text. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) => rank[a.level] - rank[b.level] || (a.range?.start ?? 0) - (b.range?.start ?? 0),
  );
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.level === "error");
}
