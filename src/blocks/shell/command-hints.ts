import type { Command, ParsedScript, Statement } from "unbash";
import { forEachChild, type SyntaxNode } from "unbash";
import type { CommandProblem } from "./command-problem.ts";

/** A hint for a command of several lines in which an earlier one may fail unnoticed. */
export function onlyLastExitCode(text: string, tree: ParsedScript): CommandProblem | undefined {
  const first = tree.commands[0];
  const last = tree.commands.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  if (!text.slice(first.pos, last.pos).includes("\n") || tree.commands.some(setsErrexit)) return undefined;
  return {
    code: "only-last-exit-code",
    level: "hint",
    message: "Only the exit code of the last line decides whether this command succeeded.",
    fix: "Set strict: true, or begin the command with set -e.",
    start: first.pos,
    end: last.end,
  };
}

function setsErrexit({ command }: Statement): boolean {
  return command.type === "Command" && command.name?.value === "set" && hasErrexit(command);
}

function hasErrexit({ args }: Command): boolean {
  const words = args.flatMap((word) => (word.type === "Word" ? [word.value] : []));
  return words.some(
    (word, index) => /^-[A-Za-z]*e/.test(word) || (word === "errexit" && words[index - 1]?.endsWith("o")),
  );
}

/** A hint for the first `&` that leaves a command in the background. */
export function backgroundHint(text: string, tree: ParsedScript): CommandProblem | undefined {
  const statement = findBackground(tree);
  if (statement === undefined) return undefined;
  const start = text.indexOf("&", statement.command.end);
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

function findBackground(tree: ParsedScript): Statement | undefined {
  const open: SyntaxNode[] = [tree];
  let found: Statement | undefined;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "Statement" && node.background && (found === undefined || node.pos < found.pos)) found = node;
    if (node.type === "Script" && node.source !== undefined) continue;
    forEachChild(node, (child) => open.push(child));
  }
  return found;
}
