import type { InputProblem, Written } from "../../block/define-block.ts";
import { isList } from "../../expression/value.ts";
import { compileCommand } from "./compile-command.ts";
import { escapeSingleQuoted } from "./scan-quotes.ts";

/**
 * A value must not become code on the ways beside the command either: as an argument of `args`, on the standard input of an
 * interpreter, or in an environment variable that a program evaluates. What a shell would do with it is asked of the compiler
 * of commands, by writing the same thing as a command.
 */
const anyValue = "${inputs.value}";

/** `args: [bash, -c, "ls ${inputs.v}"]` */
export function checkArgs(args: Written): InputProblem[] {
  if (args.known || args.items === undefined) return [];
  const values: string[] = [];
  const words = args.items.map((item) => writeWord(item, values));
  return problemsIn(words.join(" "), 0, values).map((problem) => ({ ...problem, input: "args" }));
}

function writeWord(item: Written, values: string[]): string {
  if (item.known) return quote(String(item.value));
  const pieces = item.pieces ?? [{ expression: anyValue }];
  return pieces
    .map((piece) => {
      if (typeof piece === "string") return quote(piece);
      values.push(piece.expression);
      return `"${anyValue}"`;
    })
    .join("");
}

function quote(text: string): string {
  return `'${escapeSingleQuoted(text)}'`;
}

/** `command: bash` with `stdin: "echo ${inputs.v}"`; the command as text, or its args. */
export function checkStdin(stdin: Written, command: string | Written): InputProblem[] {
  if (stdin.known) return [];
  const text = typeof command === "string" ? command : writeArgs(command);
  if (text === undefined) return [];
  const group = `{ ${text}\n} <<< `;
  const values = (stdin.pieces ?? []).flatMap((piece) => (typeof piece === "string" ? [] : [piece.expression]));
  const problems = problemsIn(`${group}"${anyValue}"`, group.length, values);
  return problems.slice(0, 1).map((problem) => ({ ...problem, input: "stdin" }));
}

/** `command: eval "$P"` with `env: { P: "${inputs.v}" }`: what the command does with a variable whose value is only known later. */
export function checkVariables(env: Written, command: string): InputProblem[] {
  if (env.known) return [];
  return (env.entries ?? []).flatMap(([name, value]) => {
    if (value.known || !/^[A-Za-z_]\w*$/.test(name) || isRun(name)) return [];
    const assignment = `${name}="${anyValue}"\n`;
    const [expression = `$${name}`] = (value.pieces ?? []).flatMap((piece) =>
      typeof piece === "string" ? [] : [piece.expression],
    );
    const problems = problemsIn(assignment + command, 0, [expression]);
    return problems.slice(0, 1).map((problem) => ({ ...problem, input: "command" }));
  });
}

function writeArgs(args: Written): string | undefined {
  if (args.known) return isList(args.value) ? args.value.map((item) => quote(String(item))).join(" ") : undefined;
  return args.items?.map((item) => writeWord(item, [])).join(" ");
}

/** The errors from an offset on, naming the author's own expressions instead of the one that stands for them. */
function problemsIn(text: string, from: number, values: readonly string[]): InputProblem[] {
  const compiled = compileCommand(text);
  const problems = compiled.ok ? compiled.value.notes : compiled.error;
  return problems
    .filter(({ level, start }) => level !== "hint" && start >= from)
    .map(({ start, end: _, ...problem }) => {
      const value = values[countBefore(text, start)] ?? values[0] ?? anyValue;
      const named = (words: string): string => words.replaceAll(anyValue, value);
      const { message, why, fix } = problem;
      return {
        ...problem,
        message: named(message),
        ...(why === undefined ? {} : { why: named(why) }),
        ...(fix === undefined ? {} : { fix: named(fix) }),
      };
    });
}

function countBefore(text: string, offset: number): number {
  return text.slice(0, offset).split(anyValue).length - 1;
}

const evaluated = /^(BASH_ENV|ENV|PS[0-4]|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|BASH_FUNC.*|LD_.*|DYLD_.*)$/;
const programs =
  /^(NODE_OPTIONS|PERL5OPT|PERL5LIB|PYTHONSTARTUP|PYTHONPATH|RUBYOPT|GIT_SSH|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|EDITOR|PAGER)$/;

function isRun(name: string): boolean {
  return evaluated.test(name) || programs.test(name);
}

/** Variables that make a shell or a program run what they hold, given a value that is only known later. */
export function checkEnv(env: Written): InputProblem[] {
  if (env.known || env.entries === undefined) return env.known ? [] : [wholeEnvironment];
  return env.entries.flatMap(([name, value]) => {
    if (value.known || !isRun(name)) return [];
    return [
      {
        code: "value-in-code",
        level: "error" as const,
        message: `the variable ${name} takes a value, and what it holds is run.`,
        why: "Shells and programs evaluate the contents of some variables.",
        fix: "Write its value out, or say `unsafe: true`.",
        input: "env",
      },
    ];
  });
}

const wholeEnvironment: InputProblem = {
  code: "value-as-name",
  level: "error",
  message: "the whole of env is a value, which would choose the names of the variables.",
  why: "Shells and programs evaluate the contents of some variables, such as BASH_ENV.",
  fix: 'Name the variables: env: { NAME: "${inputs.env.NAME}" }, or say `unsafe: true`.',
  input: "env",
};
