import type { Diagnostic } from "./diagnostic.ts";

export type Report = (diagnostic: Diagnostic) => void;

export interface Collected<T> {
  /** Absent when there were too many problems to go on. */
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}

const mostErrors = 100;

class TooManyErrors extends Error {}

/**
 * Gathers what is reported, up to more errors than anybody reads: each may cost a search for what was meant, and a hostile file
 * must not buy time with their number.
 */
export function collectDiagnostics<T>(work: (report: Report) => T): Collected<T> {
  const diagnostics: Diagnostic[] = [];
  let errors = 0;
  const report: Report = (diagnostic) => {
    diagnostics.push(diagnostic);
    if (diagnostic.level === "error" && ++errors === mostErrors) throw new TooManyErrors();
  };
  try {
    return { value: work(report), diagnostics };
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
    const message = `There are ${mostErrors} errors or more; the rest is not shown.`;
    diagnostics.push({ code: "too-many-errors", level: "error", message, fix: "Mend these first, then look again." });
    return { diagnostics };
  }
}
