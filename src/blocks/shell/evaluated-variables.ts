import { type Command, isLiteral, type Word } from "./shell-syntax.ts";

/** Variables whose contents bash or dash evaluate, whoever assigns them. */
const alwaysEvaluated: ReadonlySet<string> = new Set([
  ...["PS0", "PS1", "PS2", "PS4", "PROMPT_COMMAND", "BASH_ENV", "ENV"],
  ...["RANDOM", "OPTIND", "HISTCMD", "SECONDS", "LINENO", "BASHPID", "EPOCHSECONDS", "SRANDOM"],
]);

/** Names that the script gives an attribute which makes bash evaluate what is assigned to them. */
export interface EvaluatedNames {
  readonly names: ReadonlySet<string>;
  /** Set when such a name is itself computed. */
  readonly any: boolean;
}

const declarations: ReadonlySet<string> = new Set(["declare", "typeset", "local", "readonly", "export"]);

/** `declare -i n` makes an assignment to n arithmetic, `declare -n r` makes one to r choose a variable. */
export function findEvaluatedNames(commands: readonly Command[]): EvaluatedNames {
  const names = new Set<string>();
  let any = false;
  for (const { words } of commands) {
    const at = words.findIndex((word, index) => index < 4 && declarations.has(word.text));
    if (at === -1) continue;
    const parameters = words.slice(at + 1);
    if (!parameters.some((word) => /^[-+]/.test(word.text) && (/[in]/.test(word.text) || !isLiteral(word)))) continue;
    for (const word of parameters) {
      const name = declaredName(word);
      if (name !== undefined) names.add(name);
      else if (!/^[-+]/.test(word.text)) any = true;
    }
  }
  return { names, any };
}

/** The arrays of `declare -A`, whose subscripts are text. */
export function findAssociativeArrays(commands: readonly Command[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { words } of commands) {
    const at = words.findIndex((word, index) => index < 4 && declarations.has(word.text));
    const parameters = words.slice(at + 1);
    if (at === -1 || !parameters.some((word) => /^-[A-Za-z]*A/.test(word.text))) continue;
    for (const word of parameters) {
      const name = declaredName(word);
      if (name !== undefined) names.add(name);
    }
  }
  return names;
}

function declaredName(word: Word): string | undefined {
  return /^[A-Za-z_][A-Za-z0-9_]*(?![^=[+])/.exec(word.text)?.[0];
}

export function evaluatesContents(name: string, evaluated: EvaluatedNames): boolean {
  return evaluated.any || alwaysEvaluated.has(name) || evaluated.names.has(name);
}
