import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { Terminal } from "@xterm/headless";
import { onTestFinished } from "vitest";
import { type AtEnd, type Frond, frondProgram } from "./frond.ts";
import { waitFor } from "./wait-for.ts";

/** What is looked for on a screen: a text in one of its lines, however many rows that takes, or whatever a function says of its rows. */
export type Seen = string | RegExp | ((rows: readonly string[]) => boolean);

/**
 * A window with a shell in it, as a person has one: a real pseudo-terminal, a real interactive shell with job control, and what they
 * write drawn by a real terminal emulator.
 */
export interface TerminalScreen {
  /**
   * The rows of the window, without blanks at their ends. What is changed in a line, of which none may become longer or shorter, is
   * changed before it is divided into rows.
   */
  rows(change?: (line: string) => string): string[];
  /** The same with what has scrolled out of it, and without the empty rows at the end. */
  history(): string[];
  /** How many rows have scrolled out of the window. */
  scrolledAway(): number;
  /** Leaves nothing but the row of the cursor, as the first one. */
  clear(): void;
  /** The lines that were written, not the rows they take: one that was too long for its row is whole. */
  lines(): string[];
  /** Whether the cursor can be seen. */
  hasCursor(): boolean;
  /** Resolves when the window shows this. */
  until(seen: Seen, deadlineMs?: number): Promise<void>;
  type(keys: string): void;
  /** Types a command line. */
  enter(command: string): void;
  /** Resolves when the shell asks for the next command, with the exit code of the last one. */
  prompted(): Promise<number>;
  /** Types a command line, and gives its exit code when it has ended. */
  run(command: string): Promise<number>;
  /** Changes the size of the window, of which the program in it is told. */
  resize(columns: number, rows: number): Promise<void>;
  /** How the terminal treats what is typed, as `stty` says. */
  modes(): string;
  /** The process that the keys of the terminal reach: the command that runs, or else the shell. */
  foreground(): number;
  /** The window is closed. */
  hangUp(): void;
}

export interface ScreenOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly atEnd?: AtEnd;
}

const prompt = "$ ";
/** A number that no terminal knows. */
const codeReport = 7777;
/** Written to the terminal where its size changes; it shows nothing of it. */
const resizeMark = "\u001b]7778;\u0007";
/**
 * Sets columns and rows in one step, as a window does it: `stty` changes one after the other, and a program may draw between them. Started
 * before it is needed, because in the time that takes a program draws, too.
 */
const resizing = `
  $| = 1; open T, "+<", shift or die; print "ready";
  while (<STDIN>) { my ($columns, $rows) = split; syswrite T, "\\e]7778;\\a"; ioctl T, 0x5414, pack "S4", $rows, $columns, 0, 0 or die }
`;
/** A program that has drawn nothing for so long draws nothing by itself. */
const longestFrameMs = 300;

/** Opens a window, in which `frond` is a command as after an installation. */
export async function openTerminal(frond: Frond, options: ScreenOptions = {}): Promise<TerminalScreen> {
  const { columns = 80, rows = 24, env = {}, atEnd = onTestFinished } = options;
  const room = join(dirname(frond.home), `terminal-${++opened}`);
  mkdirSync(room);
  const [device, settings, shellId] = ["device", "settings", "shell"].map((name) => join(room, name)) as [
    string,
    string,
    string,
  ];
  installFrond(join(room, "bin"));
  writeFileSync(
    settings,
    [
      `PATH='${join(room, "bin")}':"$PATH"`,
      // The exit code of the last command goes to the terminal with the prompt, as something that it does not show.
      `PS1=$'\\e]${codeReport};$?\\a${prompt}'`,
      "unset HISTFILE",
      `stty cols ${columns} rows ${rows}`,
      `tty > '${device}'`,
      `echo $$ > '${shellId}'`,
      "",
    ].join("\n"),
  );
  // Without an editor of its own the shell leaves the terminal as it finds it.
  const shell = `exec bash --noprofile --rcfile '${settings}' --noediting -i`;
  const child = spawn("script", ["-qefc", shell, "/dev/null"], {
    cwd: frond.directory,
    env: { ...frond.env, TERM: "xterm-256color", TZ: "UTC", SHELL: "/bin/sh", ...env },
    stdio: "pipe",
  });
  atEnd(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => {});
  const terminal = new Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = "11";
  // A terminal answers when it is asked where its cursor is.
  terminal.onData((reply) => child.stdin.write(reply));
  let cursor = true;
  for (const [final, isShown] of [
    ["h", true],
    ["l", false],
  ] as const) {
    terminal.parser.registerCsiHandler({ prefix: "?", final }, (parameters) => {
      if (parameters.includes(25)) cursor = isShown;
      return false;
    });
  }
  let held: Buffer | undefined;
  child.stdout.on("data", (chunk: Buffer) => {
    if (held === undefined) terminal.write(chunk);
    else held = Buffer.concat([held, chunk]);
  });

  const isRest = (index: number): boolean =>
    index < terminal.buffer.active.length && terminal.buffer.active.getLine(index)?.isWrapped === true;
  const rowAt = (index: number): string =>
    terminal.buffer.active.getLine(index)?.translateToString(!isRest(index + 1)) ?? "";
  const from = (first: number): string[] =>
    Array.from({ length: terminal.buffer.active.length - first }, (_, row) => rowAt(first + row));
  const joined = (rows: readonly string[], first: number): string[] =>
    rows.reduce<string[]>((lines, row, index) => {
      if (index > 0 && isRest(first + index)) lines.push(`${lines.pop()}${row}`);
      else lines.push(row);
      return lines;
    }, []);
  function visible(change = (line: string): string => line): string[] {
    const { baseY } = terminal.buffer.active;
    const rows = from(baseY);
    let rest = joined(rows, baseY).map(change).join("");
    return rows.map((row) => {
      const changed = rest.slice(0, row.length);
      rest = rest.slice(row.length);
      return changed;
    });
  }
  const history = (): string[] => {
    const all = from(0);
    while (all.at(-1) === "") all.pop();
    return all;
  };
  const codes: number[] = [];
  terminal.parser.registerOscHandler(codeReport, (code) => {
    codes.push(Number(code));
    return true;
  });
  let commands = 0;

  async function until(seen: Seen, deadlineMs?: number): Promise<void> {
    const isSeen = (): boolean => {
      if (typeof seen === "function") return seen(visible());
      const { baseY } = terminal.buffer.active;
      return joined(from(baseY), baseY).some((line) => matches(line, seen));
    };
    await waitFor(`the terminal to show ${seen}`, isSeen, deadlineMs).catch((error: Error) => {
      throw new Error(`${error.message}\n${history().join("\n")}`);
    });
  }

  async function prompted(): Promise<number> {
    const isPrompted = (): boolean => codes.length > commands && cursorLine().endsWith(prompt);
    await waitFor("the shell to ask for a command", isPrompted).catch((error: Error) => {
      throw new Error(`${error.message}\n${history().join("\n")}`);
    });
    commands = codes.length;
    return codes.at(-1) ?? -1;
  }
  const cursorLine = (): string => {
    const { active } = terminal.buffer;
    return active.getLine(active.baseY + active.cursorY)?.translateToString(false, 0, active.cursorX) ?? "";
  };
  const tty = (): string => readFileSync(device, "utf8").trim();
  let resizer: ChildProcessWithoutNullStreams | undefined;
  async function startResizer(): Promise<ChildProcessWithoutNullStreams> {
    const started = spawn("perl", ["-e", resizing, tty()]);
    atEnd(() => void started.kill("SIGKILL"));
    await once(started.stdout, "data");
    return started;
  }
  const drawn = (bytes: Uint8Array | string): Promise<void> => new Promise((done) => terminal.write(bytes, done));
  const stty = (...args: string[]): string => execFileSync("stty", ["-F", tty(), ...args], { encoding: "utf8" }).trim();
  const enter = (command: string): void => void child.stdin.write(`${command}\r`);

  await prompted();
  return {
    rows: visible,
    history,
    scrolledAway: () => terminal.buffer.active.baseY,
    clear: () => terminal.clear(),
    lines: () => joined(history(), 0),
    hasCursor: () => cursor,
    until,
    type: (keys) => void child.stdin.write(keys),
    enter,
    prompted,
    async run(command) {
      enter(command);
      return prompted();
    },
    async resize(newColumns, newRows) {
      resizer ??= await startResizer();
      // A tree that has just been drawn rests for a moment: a program that draws while its window changes draws for the wrong size.
      await Promise.race([once(child.stdout, "data"), delay(longestFrameMs)]);
      held = Buffer.alloc(0);
      resizer.stdin.write(`${newColumns} ${newRows}\n`);
      await waitFor("the window to change", () => held?.includes(resizeMark) === true);
      // What was written for the old size is drawn in the old size, and what comes after it in the new one.
      await drawn(held.subarray(0, held.indexOf(resizeMark)));
      terminal.resize(newColumns, newRows);
      terminal.write(held.subarray(held.indexOf(resizeMark) + resizeMark.length));
      held = undefined;
    },
    modes: () => stty("-g"),
    foreground: () => foregroundOf(readFileSync(shellId, "utf8").trim()),
    hangUp: () => void child.kill("SIGKILL"),
  };
}

let opened = 0;

function installFrond(bin: string): void {
  mkdirSync(bin);
  writeFileSync(join(bin, "frond"), `#!/bin/sh\nexec '${process.execPath}' '${frondProgram}' "$@"\n`);
  chmodSync(join(bin, "frond"), 0o755);
}

function matches(row: string, seen: string | RegExp): boolean {
  return typeof seen === "string" ? row.includes(seen) : seen.test(row);
}

/** The leader of the processes that the keys of a terminal reach, as the kernel knows it of the shell in it. */
function foregroundOf(shell: string): number {
  // The name of the process, in parentheses, may hold anything.
  const [, fields = ""] = /\) (.*)$/s.exec(readFileSync(`/proc/${shell}/stat`, "utf8")) ?? [];
  return Number(fields.split(" ")[5]);
}
