import { startsReference } from "../../expression/parse-template.ts";
import type { CommandProblem } from "./command-problem.ts";

const escaped = /\$\$\{([A-Za-z_]\w*(?:[^\w{}\n][^{}\n]*)?)\}/y;

/** At `$${name}` of a name that is the shell's: nothing is taken away there, since nothing of Frond's would begin. */
export function explainEscape(text: string, start: number, isQuoted = false): CommandProblem | undefined {
  // More dollar signs, or a backslash, and somebody has thought about them.
  if ("$\\".includes(text.charAt(start - 1) || " ")) return undefined;
  escaped.lastIndex = start;
  const [written, inside] = escaped.exec(text) ?? [];
  if (written === undefined || startsReference(text, start + 1)) return undefined;
  return {
    code: "needless-escape",
    level: "warning",
    message: `${written} does not become \${${inside}} in a command: it keeps both dollar signs.`,
    why: "`$${` writes a literal `${` before Frond's own names only, such as `inputs.`; any other `${...}` is the shell's.",
    // In single quotes the text stays as it is; a backslash would stay too.
    fix: isQuoted ? `Write \${${inside}}.` : `Write \${${inside}} for the variable, or \\\${${inside}} for this text.`,
    start,
    end: start + written.length,
  };
}

/** In single quotes. One text with backticks in it may be a program in which `$${name}` is a dollar sign before a value. */
export function explainEscapes(text: string, from: number, to: number): CommandProblem[] {
  const found: CommandProblem[] = [];
  const quoted = text.slice(from, to);
  if (quoted.includes("`")) return found;
  for (let at = quoted.indexOf("$${"); at !== -1; at = quoted.indexOf("$${", at + 1)) {
    const problem = explainEscape(text, from + at, true);
    if (problem !== undefined) found.push(problem);
  }
  return found;
}
