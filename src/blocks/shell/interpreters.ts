import { defined } from "../../util/defined.ts";
import { expansionMark, fedMark, hasValue, startsWithValue, type Word } from "./shell-syntax.ts";

/** What a program that runs program text is given to run. */
export interface ProgramUse {
  /** Arguments that are program text. */
  readonly code: readonly Word[];
  /** Values that stand where the program looks for options, and so could become one. */
  readonly mayBeOption: readonly Word[];
  /** The argument that names the program: a file or a module. */
  readonly chosen?: Word;
  /** Whether its program comes through its standard input. */
  readonly readsProgram: boolean;
  /** Whether an argument with program text was announced but not given, as in `xargs sh -c`. */
  readonly lacksCode: boolean;
}

/** The last part of the path a program is called by. */
export function programName(word: Word): string {
  return word.text.slice(word.text.lastIndexOf("/") + 1);
}

const shells = /^(?:r?bash|dash|[akz]sh|mksh|t?csh|yash|fish|sh)(?:[-.0-9]*)$/;

export function isShell(name: string): boolean {
  return shells.test(name);
}

/** Whether a word names what a redirection feeds to the command, on whatever descriptor. */
export function isStandardInput(word: Word): boolean {
  const path = word.text.replaceAll(/\/(?:\.?\/)+/g, "/");
  return path === "-" || /^\/dev\/(?:stdin|fd\/.+)$|^\/proc\/[^/]+\/fd\/.+$/s.test(path);
}

export function readShellUse(parameters: readonly Word[]): ProgramUse {
  const mayBeOption: Word[] = [];
  const loaded: Word[] = [];
  let takesCode = false;
  let readsProgram = false;
  let next = 0;
  for (; next < parameters.length; next += 1) {
    const word = parameters[next];
    if (word === undefined || word.text === "--" || word.text === "-") break;
    if (startsWithValue(word)) {
      mayBeOption.push(word);
      break;
    }
    // `$options` may be nothing, or options; what is quoted behind -c is the program.
    if (word.text.startsWith(expansionMark) && !(takesCode && word.quoted)) continue;
    if (!/^[-+]/.test(word.text)) break;
    if (hasValue(word)) mayBeOption.push(word);
    if (/^--(?:rcfile|init-file)$/.test(word.text)) {
      next += 1;
      const file = parameters[next];
      if (file !== undefined && hasValue(file)) loaded.push(file);
      readsProgram ||= file !== undefined && isStandardInput(file);
    }
    if (word.text.startsWith("--")) continue;
    if (word.text.startsWith("-") && word.text.includes("c")) takesCode = true;
    if (word.text.startsWith("-") && word.text.includes("s")) readsProgram = true;
    if (/[oO]/.test(word.text)) next += 1;
  }
  if (["--", "-"].includes(parameters[next]?.text ?? "")) next += 1;
  const operand = parameters[next];
  if (takesCode)
    return {
      code: operand === undefined ? loaded : [...loaded, operand],
      mayBeOption,
      readsProgram: false,
      lacksCode: operand === undefined,
    };
  readsProgram ||= operand === undefined || isStandardInput(operand);
  const code = operand !== undefined && isFed(operand) ? [...loaded, operand] : loaded;
  const chosen = operand === undefined || readsProgram ? {} : { chosen: operand };
  return { code, mayBeOption, readsProgram, lacksCode: false, ...chosen };
}

/** `<(...)` as the script to run. */
function isFed(word: Word): boolean {
  return hasValue(word) && word.text === fedMark;
}

interface Interpreter {
  readonly names: RegExp;
  /** Options with program text, attached as the first group or in the next argument. */
  readonly code: RegExp;
  /** Options with the name of code to load, attached as the first group or in the next argument. */
  readonly loads?: RegExp;
  /** Other options that take the next argument. */
  readonly valued?: RegExp;
  /** Options that take none; what follows any other option may be its argument or the program. */
  readonly flags?: RegExp;
  /** Whether options may follow operands. */
  readonly anywhere?: boolean;
  /** Options after which the program is known and the rest are its arguments. */
  readonly module?: RegExp;
  /** Whether what follows the program text are its arguments. */
  readonly codeEndsOptions?: boolean;
  /** Whether its operands are something else than the program, which then always comes through its standard input. */
  readonly operands?: boolean;
}

const interpreters: readonly Interpreter[] = [
  {
    names: /^(?:python|pypy)[0-9.]*$/,
    code: /^-[A-Za-z]*c(.*)$/s,
    valued: /^-[WX]$/,
    flags: /^-[A-Za-z?]+$/,
    module: /^-[A-Za-z]*m/,
    codeEndsOptions: true,
  },
  {
    names: /^(?:node|nodejs|bun|tsx|ts-node)$/,
    code: /^(?:-[pe]+|--eval|--print)(?:=(.*))?$/s,
    loads: /^(?:-r|--require|--import|--loader|--experimental-loader|--preload)(?:=(.*))?$/s,
    valued: /^(?:-C|--conditions|--env-file)$/,
    flags: /^--(?:no|trace|experimental|enable|inspect|harmony|expose|preserve|test|watch|abort|max|stack|input)\b/,
  },
  { names: /^deno$/, code: /^(?:eval|-p|--print)$/ },
  {
    names: /^perl[0-9.]*$/,
    code: /^-[A-Za-z0-9]*[eE](.*)$/s,
    loads: /^-(?:[Mm]|d:|dt:)(.*)$/s,
    valued: /^-[A-Za-z]*I$/,
    flags: /^-[A-Za-z0-9]+$/,
  },
  {
    names: /^(?:j?ruby|irb)[0-9.]*$/,
    code: /^-[A-Za-z0-9]*e(.*)$/s,
    loads: /^-r(.*)$/s,
    valued: /^-[IC]$/,
    flags: /^-[A-Za-z0-9]+$/,
  },
  {
    names: /^php[0-9.]*$/,
    code: /^(?:-[rBRE]|--run|--process-(?:begin|code|end))(.*)$/s,
    loads: /^(?:-[dz]|--define|--zend-extension)(.*)$/s,
    valued: /^-[cft]$/,
    flags: /^-[A-Za-z]$/,
  },
  {
    names: /^(?:lua(?:jit)?[0-9.]*|R|Rscript|osascript|julia|elixir|groovy|scala|octave|ghc|raku|guile|clojure)$/,
    code: /^(?:-[A-Za-z]*[eEc]|--eval|--expr)(?:=(.*))?$/s,
    valued: /^-[lL]$/,
  },
  { names: /^(?:expect|tclsh[0-9.]*)$/, code: /^-c$/ },
  { names: /^(?:pwsh|powershell)$/, code: /^-(?:c|command|e|ec|encodedcommand)$/i },
  { names: /^(?:g?vim?|nvim|view|ex|ed)$/, code: /^(?:-c|--cmd|-S|\+)(.*)$/s, loads: /^-[us](.*)$/s, anywhere: true },
  {
    names: /^(?:emacs|emacsclient)$/,
    code: /^(?:-e|--eval|--execute|-eval)(?:=(.*))?$/s,
    loads: /^(?:-l|--load)(?:=(.*))?$/s,
    anywhere: true,
  },
  { names: /^(?:at|batch|crontab)$/, code: /^$/, operands: true },
];

const anyInterpreter = new RegExp(interpreters.map(({ names }) => names.source).join("|"));

export function findInterpreter(name: string): Interpreter | undefined {
  return anyInterpreter.test(name) ? interpreters.find((interpreter) => interpreter.names.test(name)) : undefined;
}

/** Whether the word can be the argument of an option that is not known. */
function mayBeOperand({ flags }: Interpreter, before: Word | undefined, word: Word): boolean {
  if (before === undefined || !/^-[^=]*$/.test(before.text)) return false;
  return !flags?.test(before.text) && !/\.(?:[cm]?[jt]sx?|py|pl|rb|php|lua|R|exs?|jl)$/.test(word.text);
}

export function readInterpreterUse(interpreter: Interpreter, parameters: readonly Word[]): ProgramUse {
  const code: Word[] = [];
  const mayBeOption: Word[] = [];
  let knowsProgram = false;
  let lacksCode = false;
  let next = 0;
  for (; next < parameters.length; next += 1) {
    const word = parameters[next];
    if (word === undefined || word.text === "--" || word.text === "-") break;
    if (startsWithValue(word)) {
      mayBeOption.push(word);
      break;
    }
    if (word.text.startsWith(expansionMark)) continue;
    const loads = interpreter.loads?.exec(word.text) ?? null;
    const match = loads ?? interpreter.code.exec(word.text);
    if (match !== null) {
      knowsProgram ||= loads === null;
      const attached = (match[1] ?? "") !== "";
      const text = attached ? word : parameters[next + 1];
      if (text !== undefined) code.push(text);
      else if (loads === null) lacksCode = true;
      if (!attached) next += 1;
      if (loads === null && interpreter.codeEndsOptions) return { code, mayBeOption, readsProgram: false, lacksCode };
      continue;
    }
    if (!word.text.startsWith("-")) {
      if (interpreter.anywhere || mayBeOperand(interpreter, parameters[next - 1], word)) continue;
      break;
    }
    if (hasValue(word) && !/^--[A-Za-z-]+=/.test(word.text)) mayBeOption.push(word);
    if (interpreter.valued?.test(word.text)) next += 1;
    if (interpreter.module?.test(word.text)) {
      const chosen = /m$/.test(word.text) ? parameters[next + 1] : word;
      return { code, mayBeOption, readsProgram: false, lacksCode: false, ...defined({ chosen }) };
    }
  }
  if (parameters[next]?.text === "--") next += 1;
  const operand = parameters[next];
  if (operand !== undefined && isFed(operand) && !knowsProgram) code.push(operand);
  const withoutFile = operand === undefined || interpreter.operands === true || isStandardInput(operand);
  const chosen = knowsProgram || operand === undefined ? {} : { chosen: operand };
  return { code, mayBeOption, readsProgram: !knowsProgram && withoutFile, lacksCode, ...chosen };
}
