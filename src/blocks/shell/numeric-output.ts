import { type Command, literalText, markedText } from "./shell-syntax.ts";

const inputOperators: ReadonlySet<string> = new Set(["<", "<<<", "<<", "<<-"]);

/** Whether a command prints digits only: `wc -l` on its input, `printf %d`, `grep -c`, `date +%s`, `stat -c %s`, with `tr -d` behind. */
export function isNumeric({ kind, words, redirects }: Command, source: Command | undefined): boolean {
  if (kind !== "simple") return false;
  // An error message would hold what could not be read as a number.
  if (!redirects.every(({ operator, target }) => inputOperators.has(operator) || literalText(target) === "/dev/null"))
    return false;
  const [program = "", ...parameters] = words.map((word) => markedText(word.pieces));
  switch (program) {
    case "wc":
      return parameters.every((text) => /^-[clmwL]+$/.test(text));
    case "printf":
      return parameters.length > 1 && isNumberFormat(parameters[0] ?? "");
    case "grep":
      // With two files it would print their names.
      return (
        /^-[EFivwx]*c[EFivwx]*$/.test(parameters[0] ?? "") && parameters.length <= 3 && !words.some((word) => word.glob)
      );
    case "date":
      return parameters.includes("+%s") && !parameters.some((text) => /^-[fIRu]|^--(?!date)/.test(text));
    case "stat":
      return parameters.length === 3 && /^-c$|^--format$/.test(parameters[0] ?? "") && parameters[1] === "%s";
    case "git":
      return parameters[0] === "rev-list" && parameters.includes("--count");
    case "curl":
      return isStatusOnly(parameters);
    case "tr":
      if (parameters[0] !== "-d" || parameters.length !== 2 || source === undefined) return false;
      return literalText(source.words[0]) !== "tr" && isNumeric(source, undefined);
    default:
      return false;
  }
}

/** `curl -s -o /dev/null -w '%{http_code}' URL` */
function isStatusOnly(parameters: readonly string[]): boolean {
  const format = parameters.findIndex((text) => /^(?:-[A-Za-z]*w|--write-out)$/.test(text));
  const isOutputKept = parameters.some((text) => /^(?:-[A-Za-z]*o|--output)$/.test(text));
  return isOutputKept && /^%\{(?:http_code|response_code)\}(?:\\n)?$/.test(parameters[format + 1] ?? "");
}

export function isNumberFormat(format: string): boolean {
  return /^%d(?:\\n)?$/.test(format);
}
