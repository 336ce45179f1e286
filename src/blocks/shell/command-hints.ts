import type { CommandProblem } from "./command-problem.ts";
import type { Command } from "./shell-syntax.ts";

/** A hint for a command of several lines in which an earlier one may fail unnoticed. */
export function onlyLastExitCode(text: string, commands: readonly Command[]): CommandProblem | undefined {
  if (commands.some(setsErrexit)) return undefined;
  const statements = commands
    .filter((command) => command.topLevel && !command.joined)
    .sort((a, b) => a.start - b.start);
  const first = statements[0];
  const last = statements.at(-1);
  if (first === undefined || last === undefined || !text.slice(first.start, last.start).includes("\n"))
    return undefined;
  return {
    code: "only-last-exit-code",
    level: "hint",
    message: "Only the exit code of the last line decides whether this command succeeded.",
    fix: "Set strict: true, or begin the command with set -e.",
    start: first.start,
    end: last.end,
  };
}

function setsErrexit({ words }: Command): boolean {
  if (words[0]?.text !== "set") return false;
  return words.some(
    (word, index) =>
      /^-[A-Za-z]*e/.test(word.text) || (word.text === "errexit" && words[index - 1]?.text.endsWith("o")),
  );
}

/** A hint for the `&` at `start`. */
export function backgroundHint(start: number): CommandProblem {
  return {
    code: "background-command",
    level: "hint",
    message: "This & leaves a command running in the background.",
    why: "The block ends when its command exits, and what is still running then is ended with it.",
    fix: "Wait for it with wait, or set keep_background: true to keep it until the run ends.",
    start,
    end: start + 1,
  };
}
