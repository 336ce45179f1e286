/**
 * Patterns for paths below the workspace: `*` and `?` within a name, `**` for any names. A pattern that fits a directory stands for
 * all that is in it.
 */
export class WriteGlobs {
  readonly #patterns: readonly (readonly string[])[];

  constructor(globs: readonly string[]) {
    this.#patterns = globs.map((glob) => glob.split("/").filter((part) => part !== "" && part !== "."));
  }

  /** `whole`: it is meant, with all that is in it; `way`: something below it may be. */
  fit(path: string): "whole" | "way" | undefined {
    if (this.#patterns.length === 0) return undefined;
    const parts = path.split("/");
    const fits = this.#patterns.map((pattern) => fitParts(pattern, parts));
    return fits.includes("whole") ? "whole" : fits.find((fit) => fit !== undefined);
  }
}

/** Keeps the places in the pattern that the names so far may have led to, so that no pattern takes long. */
function fitParts(pattern: readonly string[], parts: readonly string[]): "whole" | "way" | undefined {
  let reached = spread(pattern, [0]);
  for (const part of parts) {
    if (reached.has(pattern.length)) return "whole";
    const next: number[] = [];
    for (const at of reached) {
      if (pattern[at] === "**") next.push(at);
      else if (fitsName(pattern[at] as string, part)) next.push(at + 1);
    }
    reached = spread(pattern, next);
    if (reached.size === 0) return undefined;
  }
  return reached.has(pattern.length) ? "whole" : "way";
}

/** `**` may also stand for no name at all. */
function spread(pattern: readonly string[], places: readonly number[]): Set<number> {
  const reached = new Set<number>();
  for (let at of places) {
    reached.add(at);
    while (pattern[at] === "**") reached.add(++at);
  }
  return reached;
}

/** Goes back only to the last `*`, which is enough: an earlier one could not fit more. */
function fitsName(pattern: string, name: string): boolean {
  let [at, star, retry] = [0, -1, 0];
  for (let index = 0; index < name.length; ) {
    if (pattern[at] === "*") {
      star = at++;
      retry = index;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === name[index])) {
      at++;
      index++;
    } else if (star !== -1) {
      at = star + 1;
      index = ++retry;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
