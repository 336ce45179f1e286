import { hasValue, isComputedOption, startsWithValue, type Word } from "./shell-syntax.ts";

/** A program that runs the command given as its arguments. */
interface Launcher {
  /** Options that take the next argument. */
  readonly valued?: RegExp;
  /** Options whose argument is a command's text. */
  readonly code?: RegExp;
  /** How many arguments stand before the command, as the duration of timeout. */
  readonly operands?: number;
  /** Whether `NAME=value` may stand before the command. */
  readonly assignments?: boolean;
  /** Options that make the rest something else than a command to run, as `command -v`. */
  readonly inspects?: RegExp;
  /** Whether it starts a shell when no command is given. */
  readonly shellAlone?: boolean;
  /** Whether an argument that is taken for an option can do no more than make it fail. */
  readonly harmless?: boolean;
}

const launchers: ReadonlyMap<string, Launcher> = new Map<string, Launcher>([
  ["command", { inspects: /^-[a-zA-Z]*[vV]/, harmless: true }],
  ["builtin", { harmless: true }],
  ["exec", { valued: /^-[cl]*a$/, harmless: true }],
  [
    "env",
    { valued: /^(?:-[a-z0]*[uC]|--unset|--chdir)$/, code: /^(?:-[a-z0]*S|--s[a-z-]*=?)(.*)$/s, assignments: true },
  ],
  [
    "sudo",
    {
      valued:
        /^(?:-[A-Za-z]*[ugpCrtThUDR]|--(?:user|group|prompt|close-from|role|type|host|other-user|chdir|chroot|command-timeout))$/,
      assignments: true,
      shellAlone: true,
    },
  ],
  ["doas", { valued: /^-[A-Za-z]*[uC]$/, shellAlone: true }],
  ["timeout", { valued: /^(?:-[ks]|--kill-after|--signal)$/, operands: 1, harmless: true }],
  ["nice", { valued: /^(?:-n|--adjustment)$/, harmless: true }],
  ["ionice", { valued: /^(?:-[cnpPu]|--class|--classdata)$/, harmless: true }],
  ["nohup", { harmless: true }],
  ["setsid", { harmless: true }],
  ["time", { valued: /^(?:-[fo]|--format|--output)$/, harmless: true }],
  ["stdbuf", { valued: /^(?:-[ioe]|--input|--output|--error)$/, harmless: true }],
  ["chroot", { operands: 1, shellAlone: true, harmless: true }],
  ["chrt", { valued: /^-[TPD]$/, operands: 1, harmless: true }],
  ["taskset", { operands: 1, harmless: true }],
  ["unshare", { shellAlone: true }],
  ["nsenter", { valued: /^-[tSG]$/, shellAlone: true }],
  ["strace", { valued: /^-[epsuaEIObPSX]$/, code: /^-[A-Za-df-z]*o(.*)$/s }],
  ["ltrace", { valued: /^-[eopsuanlDF]$/ }],
  [
    "flock",
    { valued: /^(?:-[wE]|--timeout|--wait|--conflict-exit-code)$/, code: /^(?:-c|--com[a-z]*=?)(.*)$/s, operands: 1 },
  ],
  ["script", { code: /^(?:-[a-z]*c|--c[a-z]*=?)(.*)$/s, operands: 1, shellAlone: true }],
  ["xargs", { valued: /^(?:-[adEILnPs]|--(?:arg-file|delimiter|max-args|max-procs|max-lines|max-chars|eof))$/ }],
  ["sshpass", { valued: /^-[fdpP]$/ }],
  ["gosu", { operands: 1, harmless: true }],
  ["su-exec", { operands: 1, harmless: true }],
  ["fakeroot", {}],
  ["unbuffer", {}],
  ["chronic", {}],
  ["busybox", {}],
  ["toybox", {}],
  ["dbus-run-session", {}],
  ["caffeinate", { valued: /^-[tw]$/ }],
]);

export const launcherNames: readonly string[] = [...launchers.keys()];

/** A launcher's arguments, taken apart. */
export interface Launch {
  /** What stands before the command. */
  readonly before: readonly Word[];
  readonly assignments: readonly Word[];
  readonly code: readonly Word[];
  /** Values where it looks for its options or assignments; the last of them may be the command. */
  readonly mayBeOption: readonly Word[];
  readonly command: readonly Word[];
  readonly readsProgram: boolean;
}

/** What a launcher runs; undefined when the name is no launcher's. */
export function readLaunch(name: string, parameters: readonly Word[]): Launch | undefined {
  const launcher = launchers.get(name);
  if (launcher === undefined) return undefined;
  const assignments: Word[] = [];
  const code: Word[] = [];
  const mayBeOption: Word[] = [];
  let optionsEnded = false;
  let operands = launcher.operands ?? 0;
  let next = 0;
  for (; next < parameters.length; next += 1) {
    const word = parameters[next];
    if (word === undefined) break;
    if (word.text === "--" && !optionsEnded) {
      optionsEnded = true;
      continue;
    }
    const isComputed = isComputedOption(word) && hasValue(word) && !optionsEnded && !launcher.harmless;
    if (isComputed || (startsWithValue(word) && (launcher.assignments || !(optionsEnded || launcher.harmless))))
      mayBeOption.push(word);
    const codeOption = optionsEnded ? undefined : launcher.code?.exec(word.text);
    if (codeOption !== null && codeOption !== undefined) {
      const text = codeOption[1] === "" ? parameters[next + 1] : word;
      if (text !== undefined) code.push(text);
      if (text !== word) next += 1;
    } else if (!optionsEnded && (launcher.assignments ? /^-/ : /^-./).test(word.text)) {
      if (launcher.inspects?.test(word.text))
        return { before: [], assignments, code, mayBeOption, command: [], readsProgram: false };
      if (launcher.valued?.test(word.text)) next += 1;
    } else if (launcher.assignments && /^[A-Za-z_][A-Za-z0-9_]*=/.test(word.text)) assignments.push(word);
    else if (operands > 0) operands -= 1;
    else break;
  }
  const command = parameters.slice(next);
  const readsProgram = launcher.shellAlone === true && command.length === 0 && code.length === 0;
  return { before: parameters.slice(0, next), assignments, code, mayBeOption, command, readsProgram };
}

/** The commands behind `-exec` and its relatives in the arguments of find. */
export function readFindCommands(parameters: readonly Word[]): Word[][] {
  const commands: Word[][] = [];
  let current: Word[] | undefined;
  for (const word of parameters) {
    if (current !== undefined && (word.text === ";" || word.text === "+")) current = undefined;
    else if (current !== undefined) current.push(word);
    else if (/^-(?:exec|execdir|ok|okdir)$/.test(word.text)) {
      current = [];
      commands.push(current);
    }
  }
  return commands;
}
