import type { Refusal } from "./command-problem.ts";
import { hasValue, startsWithValue, type Word } from "./shell-syntax.ts";

/** Where a program that is no interpreter takes an argument for commands or for a program all the same. */
interface TextOptions {
  /** Options with such text, attached or in the next argument. */
  readonly options?: RegExp;
  /** Arguments that are such text. */
  readonly arguments?: RegExp;
  /** From which operand on all are such text. */
  readonly operandsFrom?: number;
}

const programs: ReadonlyMap<string, TextOptions> = new Map<string, TextOptions>([
  ["npx", { options: /^(?:-c|--call)(?:=|$)/ }],
  ["npm", { options: /^(?:-c|--call)(?:=|$)/ }],
  ["make", { arguments: /^[A-Za-z_][\w.-]*[:?+!]*=|^-[^-]*E|^--eval/ }],
  ["gmake", { arguments: /^[A-Za-z_][\w.-]*[:?+!]*=|^-[^-]*E|^--eval/ }],
  ["git", { options: /^(?:-c|-x|--exec|--upload-pack|--receive-pack|--config-env)(?:=|$)/ }],
  [
    "tar",
    { options: /^(?:-[A-Za-z]*[IF]|--(?:to-command|use-compress-program|checkpoint-action|info-script))(?:=|$)/ },
  ],
  ["rsync", { options: /^(?:-[A-Za-z]*e|--rsh|--rsync-path)(?:=|$)/ }],
  ["sqlite3", { options: /^-cmd$/, operandsFrom: 1 }],
  ["psql", { options: /^(?:-c|--command)(?:=|$)/ }],
  ["mysql", { options: /^(?:-e|--execute)(?:=|$)/ }],
  ["gdb", { options: /^-{1,2}(?:ex|iex|eval-command|init-eval-command)(?:=|$)/ }],
  ["lldb", { options: /^(?:-[oO]|--one-line)(?:=|$)/ }],
  ["tmux", { operandsFrom: 1 }],
  ["screen", { operandsFrom: 0 }],
]);

function inProgramText(program: string): Refusal {
  return {
    code: "value-in-program",
    level: "warning",
    where: `in what ${program} takes for a program or a command`,
    why: `${program} parses the value, which may then run commands.`,
    fix: (reference) => `Keep that text fixed, and pass "${reference}" in the environment or a file it reads.`,
  };
}

export function checkTextOptions(
  name: string,
  parameters: readonly Word[],
  report: (word: Word, refusal: Refusal) => void,
): void {
  const program = programs.get(name);
  if (program === undefined) return;
  const { options, operandsFrom = Number.POSITIVE_INFINITY } = program;
  let operands = 0;
  for (const [index, word] of parameters.entries()) {
    const before = parameters[index - 1];
    const isOption = word.text.startsWith("-");
    const follows = before !== undefined && options?.test(before.text) && !before.text.includes("=");
    const isText = follows || options?.test(word.text) || program.arguments?.test(word.text);
    if (hasValue(word) && (isText || (!isOption && operands >= operandsFrom))) report(word, inProgramText(name));
    if (!isOption || startsWithValue(word)) operands += 1;
  }
}
