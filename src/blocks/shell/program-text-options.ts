import type { Refusal } from "./command-problem.ts";
import { hasValue, headOf, isComputedOption, startsWithValue, type Word } from "./shell-syntax.ts";

/** Where a program that is no interpreter runs what it is given all the same. */
interface TextOptions {
  /** Options with such text, attached or in the next argument. */
  readonly options?: RegExp;
  /** Long ones of these, which may be abbreviated. */
  readonly long?: readonly string[];
  /** Arguments that are such text. */
  readonly arguments?: RegExp;
  /** From which operand on all are such text. */
  readonly operandsFrom?: number;
  /** Whether it reads such text from its standard input. */
  readonly input?: boolean;
  /** Whether one of its options runs something, so that a value must not become one: by the subcommand, or always. */
  readonly runsByOption?: RegExp | true;
  /** Options without an argument of their own: what follows them may be an option too. */
  readonly flags?: RegExp;
  /** Whether further letters behind such ones are options, too: `-x${inputs.v}` of tar. */
  readonly clusters?: boolean;
  /** Whether its first word is one of options, with or without a dash. */
  readonly beginsWithOptions?: boolean;
  /** Names that `NAME=text` among its arguments may not set, as SHELL of make. */
  readonly settings?: readonly string[];
  /** A first word without a dash that takes the next one, as `xzf` of tar. */
  readonly bundle?: RegExp;
  /** Whether it takes several arguments to run something, as a list gives them. */
  readonly runsByList?: boolean;
  /** Whether its first operand names the program to run. */
  readonly launches?: boolean;
}

const make: TextOptions = {
  arguments: /^[A-Za-z_][\w.-]*[:?+!]*=|^-[^-]*E/,
  options: /^-[A-Za-z]*[fE]$/,
  long: ["eval", "file", "makefile"],
  runsByOption: true,
  flags: /^-(?:[BbdeiknpqRrSstvw]+|j\d*)$|^--[a-z-]+$/,
  settings: ["SHELL", ".SHELLFLAGS", "MAKE", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES"],
};
const packageRunner: TextOptions = { options: /^(?:-c|--call)(?:=|$)/, launches: true, flags: /^-[yq]$|^--yes$/ };

const compiler: TextOptions = {
  options: /^-(?:wrapper|fplugin|specs|B)(?:=|$)/,
  runsByOption: true,
  flags: /^-(?!(?:[oILDUxTuze]|include|isystem|M[FTQ]|X\w+)$)/,
};

const programs: ReadonlyMap<string, TextOptions> = new Map<string, TextOptions>([
  ["npx", packageRunner],
  ["pnpx", packageRunner],
  ["bunx", packageRunner],
  ["uvx", packageRunner],
  ["npm", { options: /^(?:-c|--call|--script-shell)(?:=|$)/ }],
  ...["cc", "gcc", "g++", "c++", "clang", "clang++"].map((name) => [name, compiler] as const),
  ["make", make],
  ["gmake", make],
  [
    "git",
    {
      options: /^(?:-[cxOu]|foreach|--(?:(?:env|tree|index|parent|msg|commit|tag-name)-filter|setup)=?)$/,
      long: [
        ...["exec", "upload-pack", "receive-pack", "config", "config-env", "open-files-in-pager", "extcmd"],
        ...["exec-path", "git-dir"],
      ],
      runsByOption: /^(?:grep|fetch|clone|pull|push|ls-remote|archive|rebase|difftool|remote|submodule)$/,
      flags: /^-[afnqvp]$|^--(?:all|tags|force|quiet|verbose|prune|bare|mirror|recursive)$/,
    },
  ],
  [
    "tar",
    {
      options: /^-[A-Za-z]*[IF]$/,
      long: [
        ...["to-command", "use-compress-program", "checkpoint-action", "info-script", "new-volume-script"],
        "rsh-command",
      ],
      runsByOption: true,
      flags: /^-?[AcdrtuxjJzvhkmOpPSwW]+$/,
      ...{ clusters: true, beginsWithOptions: true },
      bundle: /^[AcdrtuxjJzvhkmOpPSwW]+f$/,
    },
  ],
  [
    "rsync",
    {
      ...{ options: /^-[A-Za-z]*e$/, long: ["rsh", "rsync-path"], runsByOption: true },
      ...{ flags: /^-[a-df-zA-Z]+$|^--[a-z-]+$/, clusters: true },
    },
  ],
  ["scp", { options: /^-[So]/, runsByOption: true, flags: /^-[34BCpqrTv]+$/ }],
  ["sftp", { options: /^-[SoDb]/, runsByOption: true }],
  ["sort", { long: ["compress-program"], runsByOption: true, flags: /^-[bdfghiMnRrVcmsuz]+$/ }],
  ["split", { long: ["filter"], runsByOption: true, flags: /^-[dexu]+$/ }],
  ["zip", { options: /^-TT$/, long: ["unzip-command"], runsByOption: true, flags: /^-(?:[rqjmT]+)$/ }],
  ["wget", { options: /^-e$/, long: ["execute", "use-askpass"], runsByOption: true, flags: /^-[qvcN]+$/ }],
  ["man", { options: /^-[PH]$/, long: ["pager", "html"], runsByOption: true }],
  ["rg", { options: /^--pre(?:=|$)/, runsByOption: true, flags: /^-[chilnovwN]+$/ }],
  ["cmake", { options: /^-[PC]$/, arguments: /^-D\w*(?:COMPILER|LAUNCHER|TOOLCHAIN)\w*(?::\w+)?=/ }],
  ["java", { options: /^-(?:cp|classpath)$/, long: ["class-path"] }],
  ["go", { options: /^-(?:exec|toolexec|vettool)(?:=|$)/ }],
  ["cargo", { options: /^--config(?:=|$)/ }],
  ["tcpdump", { options: /^-z$/, runsByOption: true }],
  ["hg", { options: /^--config(?:=|$)/, runsByOption: true }],
  ["svn", { options: /^--(?:config-option|diff-cmd|editor-cmd)(?:=|$)/, runsByOption: true }],
  ["find", { runsByList: true }],
  ["fd", { options: /^(?:-x|-X|--exec|--exec-batch)(?:=|$)/, runsByOption: true }],
  ["sqlite3", { options: /^-cmd$/, operandsFrom: 1, input: true }],
  ["psql", { options: /^-c$/, long: ["command"], input: true }],
  ["mysql", { options: /^-e$/, long: ["execute"], input: true }],
  ["gdb", { long: ["ex", "iex", "eval-command", "init-eval-command"], input: true }],
  ["lldb", { options: /^(?:-[oO]|--one-line)(?:=|$)/, input: true }],
  ["m4", { input: true }],
  ["dc", { options: /^(?:-e|--expression)(?:=|$)/, input: true }],
  ["tmux", { operandsFrom: 1 }],
  ["screen", { operandsFrom: 0 }],
]);

export const textProgramNames: readonly string[] = [...programs.keys()];

/** Settings of git that name a program. */
const runSettings =
  /^(?:alias\..*|core\.(?:fsmonitor|sshcommand|editor|pager|hookspath|askpass|gitproxy)|pager\..*|sequence\.editor|diff\.external|include\.path|init\.templatedir|.*\.(?:cmd|command|driver|textconv|clean|smudge|process|program|helper|uploadpack|receivepack|update))$/i;

export function isRunSetting(name: string): boolean {
  return runSettings.test(name);
}

export function inProgramText(program: string): Refusal {
  return {
    code: "value-in-program",
    takes: { program },
    level: "warning",
    where: `in what ${program} takes for a program or a command`,
    why: `${program} parses the value, which may then run commands.`,
    fix: (reference) => `Keep that text fixed, and pass "${reference}" in the environment or a file it reads.`,
  };
}

export function asRunningOption(program: string): Refusal {
  return {
    code: "value-as-option",
    takes: "argument",
    level: "warning",
    where: `where ${program} looks for its options`,
    why: `Some options of ${program} run a command that is given with them.`,
    fix: (reference) =>
      `Put -- before it, or give it a fixed beginning: ${program} -- "${reference}", "./${reference}".`,
  };
}

/** `SHELL=text` is a setting of make also behind `--`. */
function asSetting(program: string): Refusal {
  return {
    ...asRunningOption(program),
    takes: "setting",
    why: `An option such as --eval, or a setting such as SHELL=text, makes ${program} run a command that is given with it.`,
    fix: () => "Choose between the targets with case.",
  };
}

/** Where a value decides which option it is, so that no text is harmless that is not written out. */
function asComputedOption(program: string): Refusal {
  return {
    ...asRunningOption(program),
    takes: "fixed",
    fix: () => "Write the options out, or choose between them with case.",
  };
}

function asSeveral(program: string): Refusal {
  return {
    ...asRunningOption(program),
    takes: "plain",
    where: `where ${program} takes several words`,
    fix: (reference) => `Quote it, so that it stays one word: "${reference}".`,
  };
}

const asProgram: Refusal = {
  takes: "fixed",
  code: "value-as-command",
  level: "warning",
  where: "where the name of a program to run is expected",
  why: "The value chooses what runs.",
  fix: () => "Name the program in the command.",
};

/** Whether the program takes what it reads from its standard input for a program of its own. */
export function readsProgramText(name: string): boolean {
  return programs.get(name)?.input === true;
}

/** Whether its first operand names a program that it runs, as that of npx. */
export function launchesOperand(name: string): boolean {
  return programs.get(name)?.launches === true;
}

export function checkTextOptions(
  name: string,
  parameters: readonly Word[],
  report: (word: Word, refusal: Refusal) => unknown,
): void {
  const program = programs.get(name);
  if (program === undefined) return;
  const { operandsFrom = Number.POSITIVE_INFINITY } = program;
  const runsByOption = isRunByOption(program, parameters);
  const isConfigured = parameters.some(({ text }) => text === "config");
  let operands = 0;
  let optionsEnded = false;
  for (const [index, word] of parameters.entries()) {
    const before = parameters[index - 1];
    if (word.text === "--") optionsEnded = true;
    if (index === 1 && program.bundle?.test(before?.text ?? "")) continue;
    const isOption = word.text.startsWith("-");
    const follows = before !== undefined && takesText(program, before.text) && !before.text.includes("=");
    // What stands before the value: `-I` of `-I"${inputs.v}"`.
    const head = headOf(word);
    const isText = follows || takesText(program, head) || program.arguments?.test(word.text);
    if (!hasValue(word)) {
      if (!isOption) operands += 1;
      continue;
    }
    const setsProgram = name === "git" && isConfigured && runSettings.test(before?.text ?? "");
    const isComputed = !optionsEnded && choosesOption(program, word, index, runsByOption);
    if (isComputed) report(word, asComputedOption(name));
    else if (isText || setsProgram || (!isOption && operands >= operandsFrom)) report(word, inProgramText(name));
    else if (runsOperand(name, parameters, index)) report(word, asProgram);
    else if (program.launches && operands === 0 && !takesArgument(program, before)) report(word, asProgram);
    else if (program.runsByList && maySplit(word)) report(word, asSeveral(name));
    else if (program.settings !== undefined && startsWithValue(word) && !takesArgument(program, before))
      report(word, asSetting(name));
    else if (runsByOption && !optionsEnded && startsWithValue(word) && !takesArgument(program, before))
      report(word, asRunningOption(name));
    if (!isOption || startsWithValue(word)) operands += 1;
  }
}

/** Whether a value decides which option the word is, or which setting. */
function choosesOption(program: TextOptions, word: Word, index: number, runsByOption: boolean): boolean {
  const { long = [], flags, clusters = false, beginsWithOptions = false, settings = [] } = program;
  const head = headOf(word);
  if (index === 0 && beginsWithOptions && (head === "" || flags?.test(head))) return true;
  if (head !== "" && settings.some((setting) => setting.startsWith(head))) return true;
  // By the subcommand: `git log -${inputs.n}` is harmless.
  const mayRun = runsByOption || program.runsByOption === undefined || index === 0;
  if (isComputedOption(word)) return mayRun;
  if (head.startsWith("--"))
    return head.length > 2 && long.some((name) => name.startsWith(head.slice(2)) && name !== head.slice(2));
  return clusters && head.startsWith("-") && flags?.test(head) === true;
}

/** Whether the option is one with program text: also a long one that is abbreviated. */
function takesText({ options, long = [] }: TextOptions, text: string): boolean {
  if (options?.test(text)) return true;
  const given = /^--?([a-z][a-z-]*)(?:=|$)/.exec(text)?.[1] ?? "";
  return given.length > 1 && long.some((name) => name.startsWith(given) && (name === given || given.length > 2));
}

/** `git bisect run x`, `git init --template x`, `cmake -E env x`, and what `cmake --build` gives to make. */
function runsOperand(name: string, parameters: readonly Word[], index: number): boolean {
  const texts = parameters.slice(0, index).map(({ text }) => text);
  if (name === "git" && texts.some((text) => /^(?:clone|init)$/.test(text)))
    return /^--te[a-z]*=/.test(parameters[index]?.text ?? "") || /^--te[a-z]*$/.test(texts.at(-1) ?? "");
  if (name === "git") return texts.at(-1) === "run" && texts.at(-2) === "bisect";
  if (name !== "cmake") return false;
  if (texts[0] === "-E") return /^(?:env|time|chdir)$/.test(texts[1] ?? "");
  return texts.includes("--build") && texts.includes("--");
}

function isRunByOption({ runsByOption }: TextOptions, parameters: readonly Word[]): boolean {
  if (runsByOption === undefined || runsByOption === true) return runsByOption === true;
  return parameters.some((word) => runsByOption.test(word.text));
}

/** Whether the word before is an option that takes the next argument, as far as is known. */
function takesArgument({ flags }: TextOptions, before: Word | undefined): boolean {
  return before !== undefined && /^--?[A-Za-z][^=]*$/.test(before.text) && !flags?.test(before.text);
}

/** Whether several words may stand there. */
function maySplit(word: Word): boolean {
  return word.slots.some((slot) => slot.context === "words" || slot.held?.split);
}
