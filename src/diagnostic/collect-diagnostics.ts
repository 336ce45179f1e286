import type { Diagnostic } from "./diagnostic.ts";

export interface Report {
  (diagnostic: Diagnostic): void;
  /** A text is read that has run before: it is only read, not checked. */
  readonly isStored?: true;
}

/** For what is found in one block. */
export function reportIn<R extends Report>(block: string, report: R): R {
  const inBlock: Report = (found) => report({ block, ...found });
  // What else is known of the file goes with it.
  return Object.assign(inBlock, report);
}

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
  const collector = new Collector();
  try {
    return { value: work(collector.report), diagnostics: collector.diagnostics };
  } catch (error) {
    return collector.stop(error);
  }
}

/** The same for work that yields where it can be interrupted. */
export function* collectInSlices<T>(work: (report: Report) => Generator<void, T>): Generator<void, Collected<T>> {
  const collector = new Collector();
  try {
    return { value: yield* work(collector.report), diagnostics: collector.diagnostics };
  } catch (error) {
    return collector.stop(error);
  }
}

class Collector {
  readonly diagnostics: Diagnostic[] = [];
  readonly #known = new Set<string>();
  #errors = 0;

  readonly report: Report = (diagnostic) => {
    // What stands for many blocks, such as a variable of the workflow, is looked at for each of them.
    const { code, message, range } = diagnostic;
    const key = `${code} ${range?.source.name} ${range?.start} ${range?.end} ${message}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.diagnostics.push(diagnostic);
    if (diagnostic.level === "error" && ++this.#errors === mostErrors) throw new TooManyErrors();
  };

  stop(error: unknown): { readonly diagnostics: readonly Diagnostic[] } {
    if (!(error instanceof TooManyErrors)) throw error;
    const message = `There are ${mostErrors} errors or more; the rest is not shown.`;
    const fix = "Fix these first, then look again.";
    this.diagnostics.push({ code: "too-many-errors", level: "error", message, fix });
    return { diagnostics: this.diagnostics };
  }
}
