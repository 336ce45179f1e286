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
      // With two files, or with -r or -H, it would print their names.
      return (
        /^-[EFivwx]*c[EFivwx]*$/.test(parameters[0] ?? "") &&
        parameters.length <= 3 &&
        !parameters.slice(1).some((text) => text.startsWith("-")) &&
        !words.some((word) => word.glob)
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

/**
 * The functions and groups whose errors go where their output goes, as by `2>&1`: what can't be read as a number comes out there.
 * A function is such a one wherever it is called in that way.
 */
export class JoinedErrors {
  private readonly commands: readonly Command[];
  private readonly joining: Set<number>;

  constructor(commands: readonly Command[], joined: ReadonlySet<number>) {
    this.commands = commands;
    this.joining = new Set(joined);
    const called = new Map<string, Command[]>();
    const bodies = commands.filter(({ defines }) => defines !== undefined);
    const names = new Set(bodies.map(({ defines }) => defines));
    for (const command of commands) {
      const { words, redirects, parent, id } = command;
      const first = literalText(words[0]) ?? "";
      if (names.has(first)) called.set(first, [...(called.get(first) ?? []), command]);
      if (!redirects.some(({ operator }) => /^(?:>&|&>>?)$/.test(operator))) continue;
      if (first !== "exec") this.joining.add(id);
      else if (parent !== undefined) this.joining.add(parent);
    }
    if (this.joining.size === 0) return;
    // A function that a joined one calls is joined in turn.
    for (let round = 0; round < mostRounds; round += 1)
      for (const { id, defines = "" } of bodies)
        if (called.get(defines)?.some((command) => this.has(command))) this.joining.add(id);
  }

  has({ id, parent }: Command): boolean {
    if (this.joining.has(id)) return true;
    for (let at = parent; at !== undefined; at = this.commands[at]?.parent) if (this.joining.has(at)) return true;
    return false;
  }
}

const mostRounds = 3;

export function isNumberFormat(format: string): boolean {
  return /^%d(?:\\n)?$/.test(format);
}
