import type { Command } from "./shell-syntax.ts";

/** Whether the commands of a substitution are one pipeline whose output is a number, whatever goes into it. */
export function printsNumber(commands: readonly Command[], from: number, to: number): boolean {
  const last = to > from ? commands[to - 1] : undefined;
  if (last === undefined || !isNumeric(last)) return false;
  let first = last;
  while (first.pipedFrom !== undefined) first = first.pipedFrom;
  for (let index = from; index < to; index += 1) {
    if ((commands[index]?.start ?? 0) < first.start) return false;
  }
  return true;
}

const inputOperators: ReadonlySet<string> = new Set(["<", "<<<", "<<", "<<-"]);

/** Whether a command prints digits only: `wc -l` on its input, `printf %d`, `grep -c`, `date +%s`, `stat -c %s`, with `tr -d` behind. */
export function isNumeric({ kind, words, redirects, pipedFrom }: Command): boolean {
  if (kind !== "simple") return false;
  // An error message would hold what could not be read as a number.
  if (!redirects.every(({ operator, target }) => inputOperators.has(operator) || target.text === "/dev/null"))
    return false;
  const [program = "", ...parameters] = words.map((word) => word.text);
  switch (program) {
    case "wc":
      return parameters.every((text) => /^-[clmwL]+$/.test(text));
    case "printf":
      return parameters.length > 1 && isNumberFormat(parameters[0] ?? "");
    case "grep":
      return parameters.length === 2 && /^-[EFivwx]*c[EFivwx]*$/.test(parameters[0] ?? "");
    case "date":
      return parameters.includes("+%s") && !parameters.some((text) => /^-[fIRu]|^--(?!date)/.test(text));
    case "stat":
      return parameters.length === 3 && /^-c$|^--format$/.test(parameters[0] ?? "") && parameters[1] === "%s";
    case "tr":
      if (parameters[0] !== "-d" || parameters.length !== 2) return false;
      return pipedFrom !== undefined && pipedFrom.words[0]?.text !== "tr" && isNumeric(pipedFrom);
    default:
      return false;
  }
}

export function isNumberFormat(format: string): boolean {
  return /^%d(?:\\n)?$/.test(format);
}
