import type { InputProblem, KnownValues, Written, WrittenWithExpressions } from "../../block/define-block.ts";
import { formatValue } from "../../expression/format-value.ts";
import { isList } from "../../expression/value.ts";
import type { Vars } from "../../expression/vars.ts";
import type { CommandProblem } from "./command-problem.ts";
import { judgeCommand, nothingKnown } from "./compile-command.ts";
import { isEvaluatedVariable } from "./evaluated-variables.ts";
import { searchPath } from "./refusals.ts";
import type { ShellInput } from "./shell-command.ts";
import type { PlacedSlot } from "./shell-syntax.ts";
import { escapeSingleQuoted } from "./spelling.ts";
import type { Surroundings } from "./trace-values.ts";

/**
 * A value must not become code on the ways beside the command either: as an argument of `args`, on the standard input, or in an
 * environment variable. What a shell would do with it is asked of the compiler of commands; `args` are written as a command.
 */
interface BesideCommand {
  readonly command: Pick<ShellInput, "text" | "vars"> | undefined;
  readonly args: Written | undefined;
  readonly stdin: Written | undefined;
  readonly env: Written | undefined;
}

export function checkSurroundings({ command, args, stdin, env }: BesideCommand, known: KnownValues): InputProblem[] {
  const found: InputProblem[] = [...checkArgs(args), ...checkEnv(env)];
  const values = env === undefined || env.known ? [] : (env.entries ?? []);
  const text = command?.text ?? writeArgs(args);
  if (text === undefined) return found;
  const variables = new Map<string, PlacedSlot>();
  for (const [name, value] of values) {
    const slot = outsideSlot(name, value);
    if (slot !== undefined && /^[A-Za-z_]\w*$/.test(name) && !isEvaluatedVariable(name)) variables.set(name, slot);
  }
  const problems = new OutsideProblems(text, command, known);
  if (variables.size > 0) found.push(...problems.with({ env: variables }));
  const slot = stdin === undefined ? undefined : outsideSlot("standard input", stdin);
  if (slot !== undefined) found.push(...problems.with({ stdin: slot }));
  return found;
}

/** What stands for a value that reaches the command from beside it. */
function outsideSlot(name: string, value: Written): PlacedSlot | undefined {
  if (value.known) return undefined;
  const [reference = anyValue] = referencesIn(value);
  return { start: 0, end: 0, value: -1, context: "double-quoted", held: { name, reference, split: false } };
}

/** The problems that a command has only with what is beside it. */
class OutsideProblems {
  readonly #text: string;
  readonly #isArgs: boolean;
  readonly #known: KnownValues;
  readonly #vars: Vars | undefined;

  constructor(text: string, command: BesideCommand["command"], known: KnownValues) {
    this.#text = text;
    this.#isArgs = command === undefined;
    // What args are written as has no values of its own.
    this.#known = command === undefined ? nothingKnown : known;
    this.#vars = command?.vars;
  }

  with(surroundings: Surroundings): InputProblem[] {
    const own = new Set(problemsOf(this.#text, {}, this.#known, this.#vars).map(keyOf));
    return problemsOf(this.#text, surroundings, this.#known, this.#vars)
      .filter((problem) => !own.has(keyOf(problem)))
      .slice(0, 1)
      .map(({ start, end, ...problem }) => {
        if (!this.#isArgs && start < end) return { ...problem, input: "command", start, end };
        return { ...problem, input: surroundings.stdin === undefined ? "env" : "stdin" };
      });
  }
}

function problemsOf(
  text: string,
  surroundings: Surroundings,
  known: KnownValues,
  vars?: Vars,
): readonly CommandProblem[] {
  const judged = judgeCommand(text, surroundings, known, vars);
  const problems = judged.ok ? [...judged.value.fixed, ...judged.value.problems] : judged.error;
  return problems.filter(({ level }) => level !== "hint");
}

function keyOf({ code, start, end }: CommandProblem): string {
  return `${code} ${start} ${end}`;
}

const anyValue = "${inputs.value}";

/** `args: [bash, -c, "ls ${inputs.v}"]` */
function checkArgs(args: Written | undefined): InputProblem[] {
  if (args === undefined || args.known || args.items === undefined) return [];
  const values: string[] = [];
  const text = args.items.map((item) => writeWord(item, values)).join(" ");
  return problemsOf(text, {}, nothingKnown).map(({ start, end: _, ...problem }) => {
    const value = values[text.slice(0, start).split(anyValue).length - 1] ?? values[0] ?? anyValue;
    const named = (words: string): string => words.replaceAll(anyValue, value);
    const { message, why, fix } = problem;
    return {
      ...problem,
      message: named(message),
      ...(why === undefined ? {} : { why: named(why) }),
      ...(fix === undefined ? {} : { fix: named(fix) }),
      input: "args",
    };
  });
}

export function referencesIn(written: WrittenWithExpressions): string[] {
  const pieces = written.pieces ?? [];
  return pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.expression]));
}

export function writeArgs(args: Written | undefined): string | undefined {
  if (args === undefined) return undefined;
  if (args.known) return isList(args.value) ? args.value.map((item) => quote(formatValue(item))).join(" ") : undefined;
  return args.items?.map((item) => writeWord(item, [])).join(" ");
}

export function writeWord(item: Written, values: string[]): string {
  if (item.known) return quote(formatValue(item.value));
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

/** Variables that make a shell or a program run what they hold, given a value that is only known later. */
function checkEnv(env: Written | undefined): InputProblem[] {
  if (env === undefined || env.known) return [];
  if (env.entries === undefined) return [wholeEnvironment];
  return env.entries.flatMap(([name, value]) => {
    if (!value.known && name === "PATH" && !isDirectory(value)) return [searchPathProblem];
    if (value.known || !isEvaluatedVariable(name)) return [];
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

/** `${blocks.env.venv}/bin`: the value is only the beginning of a path. */
function isDirectory(value: Written): boolean {
  const pieces = value.known ? [] : (value.pieces ?? []);
  return pieces.every((piece, index) => {
    const next = pieces[index + 1];
    return typeof piece === "string" || (typeof next === "string" && next.startsWith("/"));
  });
}

const searchPathProblem: InputProblem = {
  code: searchPath.code,
  level: "warning",
  message: "the variable PATH takes a value.",
  why: searchPath.why,
  fix: searchPath.fix(""),
  input: "env",
};

const wholeEnvironment: InputProblem = {
  code: "value-as-name",
  level: "error",
  message: "the whole of env is a value, which would choose the names of the variables.",
  why: "Shells and programs evaluate the contents of some variables, such as BASH_ENV.",
  fix: 'Name the variables: env: { NAME: "${inputs.env.NAME}" }, or say `unsafe: true`.',
  input: "env",
};
