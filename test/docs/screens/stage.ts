import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type AtEnd, createFrond, type Frond } from "../../rig/frond.ts";
import { openTerminal, type TerminalScreen } from "../../rig/terminal-screen.ts";
import { projectFiles } from "./project.ts";

/** Where a story is told: a project in a directory, a terminal, and a clock that nobody but the story moves on. */
export interface Stage {
  readonly frond: Frond;
  readonly screen: TerminalScreen;
  /** Moves the clock on. */
  pass(milliseconds: number): void;
  /** Lets a command of the project end, so long after it began to wait: what it writes then, and its exit code. */
  finish(command: string, afterMs: number, ending?: Ending): void;
  /** Keeps what can be seen now, under this name. */
  picture(name: string): void;
  /** What a command shows that succeeds. */
  show(command: string, name: string): Promise<void>;
  readonly pictures: readonly Picture[];
}

export interface Ending {
  readonly says?: readonly string[];
  readonly code?: number;
}

export interface Picture {
  readonly name: string;
  readonly rows: readonly string[];
  /** How many rows the window is too small for. */
  readonly scrolledAway: number;
}

/** The directory that pictures show instead of the real one: as long as that, so that nothing moves. */
const shownDirectory = "/home/kim/work/garden-shop";
const spinner = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g;
const beginning = Date.UTC(2026, 2, 2, 9, 30);

export async function openStage(columns: number, rows: number, atEnd: AtEnd): Promise<Stage> {
  const frond = createFrond(projectFiles, atEnd, "/tmp");
  const behind = join(dirname(frond.home), "behind");
  mkdirSync(behind);
  const clock = join(behind, "clock");
  let now = beginning;
  const pass = (milliseconds: number): void => {
    now += milliseconds;
    replaceFile(clock, String(now));
  };
  pass(0);
  installNpm(behind);
  const screen = await openTerminal(frond, {
    columns,
    rows,
    atEnd,
    env: {
      PATH: `${behind}:${frond.env.PATH}`,
      STORY_CLOCK: clock,
      NODE_OPTIONS: `--require ${resolve("test/docs/screens/steady-process.cjs")}`,
    },
  });
  const steady = (line: string): string => line.replaceAll(frond.directory, shownDirectory).replaceAll(spinner, "⠋");
  const pictures: Picture[] = [];
  const stage: Stage = {
    frond,
    screen,
    pass,
    finish(command, afterMs, { says = [], code = 0 } = {}) {
      pass(afterMs);
      const lines = says.map((line) => `echo ${JSON.stringify(line)} >&2`);
      replaceFile(join(behind, `${command.replaceAll(" ", "-")}.end`), [...lines, `exit ${code}`, ""].join("\n"));
    },
    picture(name) {
      pictures.push({ name, rows: withoutEmptyEnd(screen.rows(steady)), scrolledAway: screen.scrolledAway() });
    },
    async show(command, name) {
      const code = await screen.run(command);
      if (code !== 0) throw new Error(`${command} ended with ${code}:\n${screen.history().join("\n")}`);
      stage.picture(name);
    },
    pictures,
  };
  await screen.run("frond trust > /dev/null");
  screen.clear();
  return stage;
}

/** A command that stands for all the work of the project: it ends when the story says so. */
function installNpm(directory: string): void {
  const script = [
    "#!/bin/sh",
    `own=${directory}/$(echo "$*" | tr ' ' '-').end`,
    'echo "> $*"',
    'until [ -e "$own" ]; do sleep 0.02; done',
    '. "$own"',
    "",
  ];
  writeFileSync(join(directory, "npm"), script.join("\n"));
  chmodSync(join(directory, "npm"), 0o755);
}

/** In one step, so that nobody reads half of it. */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

function withoutEmptyEnd(rows: readonly string[]): string[] {
  const last = rows.findLastIndex((row) => row !== "");
  return rows.slice(0, last + 1);
}
