import { defined } from "../../util/defined.ts";
import type { Refusal, Taken } from "./command-problem.ts";
import { fedMark, hasValue, isComputedOption, readAssignment, startsWithValue, type Word } from "./shell-syntax.ts";

/**
 * Commands that take an argument for code, for the name of a variable, or for an option that leads to one of these. A rule looks
 * at a command's arguments and reports the words that may not hold a value.
 */
export type Rule = (parameters: readonly Word[], report: Report) => void;
/** Gives whether there is something to report. `text` holds the words that are evaluated together, where these are several. */
export type Report = (word: Word, refusal: Refusal, text?: readonly Word[]) => boolean;

const nameWhy = "bash evaluates subscripts in the name of a variable, and runs commands it finds there.";
const codeWhy = "The text is parsed again as code, the value with it.";
const useOwnName = (): string => "Name the variable in the command itself.";

function code(command: string, fix: Refusal["fix"], takes?: Taken): Refusal {
  const where = `in what ${command} parses as code`;
  return { code: "value-in-code", where, why: codeWhy, fix, ...defined({ takes }) };
}

function name(command: string, fix: Refusal["fix"] = useOwnName): Refusal {
  return {
    code: "value-as-name",
    takes: "fixed",
    where: `in what ${command} takes for the name of a variable`,
    why: nameWhy,
    fix,
  };
}

/** A rule for commands none of whose arguments may hold a value. */
function every(refusal: Refusal): Rule {
  return (parameters, report) => {
    for (const word of parameters) if (hasValue(word)) report(word, refusal, parameters);
  };
}

/** The first argument is shell text: trap. */
function firstText(refusal: Refusal): Rule {
  return (parameters, report) => {
    const first = parameters.findIndex((word) => word.text !== "--");
    for (const [index, word] of parameters.entries())
      if (hasValue(word)) report(word, refusal, index === first ? [word] : []);
  };
}

export function programText(program: string): Refusal {
  return code(program, (reference) => `Pass it as an argument: ${program} -c '... "$1"' _ "${reference}".`, "shell");
}

export function interpreterText(program: string): Refusal {
  return code(
    program,
    (reference) =>
      `Leave the program text fixed and let it read its environment: VALUE="${reference}" ${program} ... '...'.`,
    { program },
  );
}

export function asOption(program: string): Refusal {
  return {
    code: "value-as-option",
    takes: "argument",
    where: `where ${program} looks for its options`,
    why: `A value such as -c or -e would make ${program} run what follows.`,
    fix: (reference) => `Put -- before it: ${program} -- "${reference}".`,
  };
}

/** Also behind `--`, since what looks like an assignment is one there too. */
export function asLauncherOption(program: string): Refusal {
  return {
    ...asOption(program),
    takes: "setting",
    why: `A value such as -S, -c or NAME=text would change what ${program} runs.`,
    fix: (reference) => `Give it a fixed beginning, as in "./${reference}" or "$PWD/${reference}".`,
  };
}

const declareRefusal = (command: string): Refusal =>
  name(command, (reference) => `Assign first, then declare: v="${reference}"; ${command} v.`);

/** `local name="$1"` assigns plain text as long as no option makes it something else. */
function checkDeclare(command: string): Rule {
  return (parameters, report) => {
    const flags = parameters.filter((word) => /^[-+]/.test(word.text)).map((word) => word.text);
    for (const word of parameters) {
      const harmless = word.elements === undefined ? /^-[gxr]+$/ : /^-[aAgxr]+$/;
      const plain = readAssignment(word) !== undefined && flags.every((flag) => harmless.test(flag));
      if (hasValue(word) && !plain) report(word, declareRefusal(command));
    }
  };
}

const runRemote = code(
  "the remote shell of ssh",
  (reference) => `Send it as input instead: printf '%s' "${reference}" | ssh host 'cat > file'.`,
  "shell",
);

const testWithTwoValues: Refusal = {
  takes: "plain",
  code: "value-as-option",
  where: "in a test, right after another value",
  why: "The first could be -v, which makes bash evaluate the second as the name of a variable.",
  fix: (reference) => `Write the operator: [ -n "${reference}" ].`,
};

const printfFormat: Refusal = {
  takes: "argument",
  code: "value-as-option",
  where: "at the start of printf's format",
  why: "A value such as -vname makes bash's printf assign to a variable whose name it evaluates.",
  fix: (reference) => `Use a fixed format: printf '%s' "${reference}".`,
};

const insideFormat: Refusal = {
  takes: "format",
  code: "value-in-format",
  level: "warning",
  where: "in printf's format",
  why: "Percent signs and backslashes in the value are read as directives.",
  fix: (reference) => `Use a fixed format: printf '%s\\n' "${reference}".`,
};

function checkPrintf(parameters: readonly Word[], report: Report): void {
  let next = 0;
  if (parameters[0]?.text.startsWith("-v")) {
    next = parameters[0].text === "-v" ? 2 : 1;
    for (const word of parameters.slice(0, next)) if (hasValue(word)) report(word, name("printf -v"));
  }
  const ended = parameters[next]?.text === "--";
  const format = parameters[ended ? next + 1 : next];
  if (format === undefined || !hasValue(format)) return;
  // Behind another letter than v, a dash only makes printf complain.
  const mayBeOption = startsWithValue(format) || (format.text.startsWith("-") && startsWithValue(rest(format)));
  if (!mayBeOption || ended || !report(format, printfFormat)) report(format, insideFormat);
}

/** A word without its first character. */
function rest(word: Word): Word {
  return { ...word, text: word.text.slice(1) };
}

const splitInTest: Refusal = {
  takes: "plain",
  code: "value-as-option",
  where: "in a test without quotes",
  why: "Its words could be -v and a name, which bash evaluates.",
  fix: (reference) => `Quote it: "${reference}".`,
};

function checkTest(parameters: readonly Word[], report: Report): void {
  for (const [index, word] of parameters.entries()) {
    if (!hasValue(word)) continue;
    const isSplit =
      word.list !== undefined ||
      word.slots.some((slot) => slot.held?.split) ||
      (word.text.includes(fedMark) && !word.quoted);
    if (isSplit) report(word, splitInTest);
    for (const slot of word.slots) if (slot.context === "words") slot.context = "bare";
    const before = parameters[index - 1];
    if (before === undefined) continue;
    if (before.text === "-v" || before.text === "-R") report(word, name("test -v"));
    else if (hasValue(before) || isComputedOption(before)) report(word, testWithTwoValues);
  }
}

function checkWait(parameters: readonly Word[], report: Report): void {
  for (const [index, word] of parameters.entries()) {
    if (word.text === "--") return;
    if (!hasValue(word)) continue;
    if (parameters[index - 1]?.text.endsWith("p") || word.text.startsWith("-")) report(word, name("wait -p"));
    else report(word, asOption("wait"));
  }
}

/** `export NAME=text` assigns text that stays text; `readonly -a NAME=text` parses it as an array's elements. */
function checkExport(command: string): Rule {
  return (parameters, report) => {
    const withFlags = command === "readonly" && parameters.some((word) => /^-[A-Za-z]*[aA]/.test(word.text));
    for (const word of parameters) {
      if (hasValue(word) && (withFlags || readAssignment(word) === undefined)) report(word, declareRefusal(command));
    }
  };
}

const remoteValued = /^-[A-Za-z0-9]*[BbcDEeFIiJLlmOopQRSWw]$/;

/** Where the host stands among the arguments of ssh, and whether a `--` before it ends the options. */
function findHost(parameters: readonly Word[]): { at: number; optionsEnded: boolean } {
  for (let next = 0; next < parameters.length; next += 1) {
    const word = parameters[next];
    if (word?.text === "--") return { at: next + 1, optionsEnded: true };
    if (word === undefined || !word.text.startsWith("-")) return { at: next, optionsEnded: false };
    if (remoteValued.test(word.text)) next += 1;
  }
  return { at: parameters.length, optionsEnded: false };
}

function checkSsh(parameters: readonly Word[], report: Report): void {
  const { at, optionsEnded } = findHost(parameters);
  for (const [index, word] of parameters.slice(0, at).entries()) {
    const setsOption = word.text.startsWith("-o") || parameters[index - 1]?.text === "-o" || isComputedOption(word);
    if (hasValue(word) && setsOption) report(word, { ...asOption("ssh"), takes: "fixed" });
  }
  const host = parameters[at];
  if (host !== undefined && startsWithValue(host) && !optionsEnded) report(host, asOption("ssh"));
  for (const slot of host?.slots ?? []) if (slot.context === "words") slot.context = "bare";
  const remote = parameters.slice(at + 1);
  for (const word of remote) if (hasValue(word)) report(word, runRemote, remote);
}

/** The command line ssh gives to the remote shell; empty when that shell reads its standard input. */
export function remoteCommand(parameters: readonly Word[]): string {
  const words = parameters.slice(findHost(parameters).at + 1);
  return words.map((word) => word.text).join(" ");
}

const suCode = code("su", (reference) => `Pass it as an argument: su user -c '... "$1"' -- _ "${reference}".`, "shell");

/** What stands behind the user becomes arguments of a shell, so it is harmless only when that shell has its program. */
function checkSu(parameters: readonly Word[], report: Report): void {
  const givesCode = parameters.some((word) => suCodeOption.test(word.text));
  let optionsEnded = false;
  for (const [index, word] of parameters.entries()) {
    if (word.text === "--") optionsEnded = true;
    if (!hasValue(word)) continue;
    for (const slot of word.slots) if (slot.context === "words") slot.context = "bare";
    const before = parameters[index - 1]?.text ?? "";
    if (suCodeOption.test(word.text) || (suCodeOption.test(before) && !before.includes("="))) report(word, suCode);
    else if (!givesCode || (startsWithValue(word) && !optionsEnded))
      report(word, { ...asOption("su"), takes: "fixed" });
  }
}

const suCodeOption = /^(?:-[a-z]*c|--(?:session-)?command)/;

const languageWarning = (program: string, fix: Refusal["fix"]): Refusal => ({
  code: "value-in-program",
  takes: { program },
  level: "warning",
  where: `in the program text of ${program}`,
  why: `${program} parses the value as part of its program, which can write files and run commands.`,
  fix,
});

function checkSed(parameters: readonly Word[], report: Report): void {
  const warning = languageWarning("sed", (reference) => `Let awk take it as text: awk -v value="${reference}" '...'.`);
  checkScript(
    parameters,
    report,
    warning,
    /^(?:-[A-Za-z]*e|--expr[a-z]*=?)(.*)$/s,
    /^(?:-[A-Za-z]*f|--file|-l|--line-length)$/,
  );
}

function checkAwk(parameters: readonly Word[], report: Report): void {
  const warning = languageWarning(
    "awk",
    (reference) => `Pass it as a variable: awk -v value="${reference}" '{ print value }'.`,
  );
  checkScript(
    parameters,
    report,
    warning,
    /^(?:-e|--source=?)(.*)$/s,
    /^(?:-[fFvEiW]|--(?:file|assign|field-separator))$/,
  );
}

/** Programs whose first operand is program text unless an option has given some. */
function checkScript(
  parameters: readonly Word[],
  report: Report,
  warning: Refusal,
  scripts: RegExp,
  valued: RegExp,
): void {
  let given = false;
  for (let next = 0; next < parameters.length; next += 1) {
    const word = parameters[next];
    const script = word === undefined ? null : scripts.exec(word.text);
    if (word === undefined) return;
    if (isComputedOption(word) && hasValue(word)) report(word, warning);
    if (script !== null) {
      given = true;
      const text = script[1] === "" ? parameters[++next] : word;
      if (text !== undefined && hasValue(text)) report(text, warning);
    } else if (valued.test(word.text)) {
      given ||= /f(?:ile)?$/.test(word.text);
      next += 1;
    } else if (startsWithValue(word) || !word.text.startsWith("-")) {
      if (!given && hasValue(word)) report(word, warning);
      // GNU programs take options behind their operands, too.
      given = true;
    }
  }
}

const useArithmetic = (reference: string): string => `Write x=$(( ${reference} )), where only integers are accepted.`;
const useLoop = (): string => "Run the command in a loop of the script instead.";
const useDirectly = (reference: string): string => `Run the command directly, with "${reference}" as its argument.`;
const noFile = (): string => "Name the file in the command itself.";
const useFunction = (reference: string): string =>
  `Assign v="${reference}" and use "$v" in the quoted text: trap 'echo "$v"' EXIT.`;

export const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["eval", every(code("eval", useDirectly, "shell"))],
  ["source", every(code("source", noFile, "fixed"))],
  [".", every(code(".", noFile, "fixed"))],
  ["trap", firstText(code("trap", useFunction, "shell"))],
  ["alias", every(code("alias", (reference) => `Use a function: name() { command "${reference}"; }.`))],
  ["let", every({ ...code("let", useArithmetic, "number"), fixesReference: true })],
  ["declare", checkDeclare("declare")],
  ["typeset", checkDeclare("typeset")],
  ["local", checkDeclare("local")],
  ["unset", every(name("unset"))],
  ["read", every(name("read"))],
  ["mapfile", every(name("mapfile"))],
  ["readarray", every(name("readarray"))],
  ["getopts", every(name("getopts"))],
  ["compgen", every(code("compgen", useDirectly))],
  ["complete", every(code("complete", useDirectly))],
  ["bind", every(code("bind", useDirectly))],
  ["hash", every(code("hash", useDirectly))],
  ["enable", every(code("enable", useDirectly))],
  ["jobs", every(code("jobs -x", useDirectly))],
  ["fc", every(code("fc", useDirectly))],
  ["capsh", every(code("capsh", useDirectly))],
  ["watch", every(code("watch", useLoop))],
  ["parallel", every(code("parallel", useLoop))],
  ["export", checkExport("export")],
  ["readonly", checkExport("readonly")],
  ["printf", checkPrintf],
  ["test", checkTest],
  ["[", checkTest],
  ["wait", checkWait],
  ["ssh", checkSsh],
  ["su", checkSu],
  ["runuser", checkSu],
  ["sg", checkSu],
  ["sed", checkSed],
  ["gsed", checkSed],
  ["awk", checkAwk],
  ["gawk", checkAwk],
  ["mawk", checkAwk],
  ["nawk", checkAwk],
]);
