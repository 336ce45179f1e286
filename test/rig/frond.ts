import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { onTestFinished } from "vitest";
import { requireFreshBin } from "./fresh-bin.ts";
import { startInKeptBin } from "./kept-bins.ts";
import { ownDatabase } from "./own-database.ts";
import { waitFor } from "./wait-for.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The built bin. */
export const frondProgram: string = join(root, "dist", "main.js");
requireFreshBin(root, frondProgram);

export interface FrondOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line that is running. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** What it has written to stdout so far. */
  shown(): string;
  /** The same for stderr. */
  complained(): string;
  /** Resolves when it has written this. */
  until(text: string): Promise<void>;
  /** The same for stderr. */
  complaint(text: string): Promise<void>;
  type(keys: string): void;
}

/** Runs a command line to its end. */
export interface Runner {
  run(args: readonly string[], options?: FrondOptions): Promise<Ended>;
  /** The one JSON document on stdout. */
  json(args: readonly string[], options?: FrondOptions): Promise<{ readonly code: number; readonly reply: unknown }>;
}

/**
 * The built command line, with a home, a state directory and a working directory of its own, all removed with the test. What is run to its end
 * is run in a process that is kept for others.
 */
export interface Frond extends Runner {
  /** Where it is run. */
  readonly directory: string;
  readonly home: string;
  /** Where it keeps its runs and logs. */
  readonly state: string;
  /** Its environment, unless a test adds to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file, by its path from the working directory. */
  write(path: string, text: string): void;
  read(path: string): string;
  /** In a process of its own: for a test of what that shows of itself, leaves open, or is started with. */
  readonly alone: Runner;
  start(args: readonly string[], options?: FrondOptions): Running;
  /** The same in a pseudo-terminal; everything it writes is `stdout`. */
  startInTerminal(args: readonly string[], options?: TerminalOptions): Running;
}

export interface TerminalOptions extends FrondOptions {
  readonly columns?: number;
  readonly rows?: number;
}

/** Has something done at the end: of the test, unless it is shared. */
export type AtEnd = (end: () => void | Promise<void>) => void;

export function createFrond(
  files: Readonly<Record<string, string>> = {},
  atEnd: AtEnd = onTestFinished,
  parent: string = tmpdir(),
): Frond {
  if (!existsSync(frondProgram)) throw new Error("There is no dist/: these tests need `npm run build` first.");
  const root = realpathSync(mkdtempSync(join(parent, "frond-cli-")));
  const directory = join(root, "work");
  const home = join(root, "home");
  const state = join(root, "state");
  mkdirSync(directory);
  mkdirSync(home);
  // What has just been told to end may still write.
  atEnd(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));

  function write(path: string, text: string): void {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const [path, text] of Object.entries(files)) write(path, text);

  const base = {
    ...ownDatabase(),
    ...{ PATH: process.env.PATH ?? "", HOME: home, FROND_STATE_DIR: state, TERM: "xterm" },
  };

  function launch(
    file: string,
    args: readonly string[],
    { env = {}, stdin }: FrondOptions,
    keepOpen: boolean,
  ): Running {
    const child = spawn(file, args, { cwd: directory, env: { ...base, ...env }, stdio: "pipe" });
    atEnd(() => void child.kill("SIGKILL"));
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    // One that ends without reading what it is given is no failure of the test.
    child.stdin.on("error", () => {});
    if (stdin !== undefined) child.stdin.write(stdin);
    if (!keepOpen) child.stdin.end();
    return {
      child,
      ended: new Promise((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (code, signal) => resolve({ code: code ?? (signal === null ? -1 : -2), stdout, stderr }));
      }),
      shown: () => stdout,
      complained: () => stderr,
      until: (text) =>
        waitFor(`the output to hold ${text}`, () => `${stdout}${stripVTControlCharacters(stdout)}`.includes(text)),
      complaint: (text) => waitFor(`the errors to hold ${text}`, () => stderr.includes(text)),
      type: (keys) => void child.stdin.write(keys),
    };
  }

  const start = (args: readonly string[], options: FrondOptions = {}): Running =>
    launch(process.execPath, [frondProgram, ...args], options, false);
  const alone = createRunner((args, options) => start(args, options).ended);
  const kept = createRunner(async (args, options = {}) => {
    const env = { ...base, ...options.env };
    if (needsOwnProcess(args, env)) return alone.run(args, options);
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    const run = startInKeptBin(
      { bundle: bundleOf("app"), args, directory, env },
      { stdout: (chunk) => stdout.push(chunk), stderr: (chunk) => stderr.push(chunk) },
    );
    let isRunning = true;
    atEnd(() => {
      if (isRunning) run.kill("SIGKILL");
    });
    if (options.stdin !== undefined) run.write(options.stdin);
    run.end();
    const code = await run.ended;
    isRunning = false;
    return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
  });
  return {
    directory,
    home,
    state,
    env: base,
    write,
    read: (path) => readFileSync(join(directory, path), "utf8"),
    ...kept,
    alone,
    start,
    startInTerminal(args, { columns = 80, rows = 24, ...options } = {}) {
      const words = [process.execPath, frondProgram, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
      const command = `stty cols ${columns} rows ${rows}; exec ${words.join(" ")}`;
      return launch(
        "script",
        ["-qefc", command, "/dev/null"],
        { ...options, env: { SHELL: "/bin/sh", ...options.env } },
        true,
      );
    },
  };
}

function createRunner(run: Runner["run"]): Runner {
  return {
    run,
    async json(args, options) {
      const { code, stdout, stderr } = await run([...args, "--json"], options);
      if (stderr !== "") throw new Error(`With --json nothing goes to stderr, but: ${stderr}`);
      return { code, reply: JSON.parse(stdout) as unknown };
    },
  };
}

/** A file that the bin loads. */
export function bundleOf(name: "app" | "serve"): string {
  return join(root, "dist", `${name}.cjs`);
}

/** Servers, and what runs in the background, have other bundles; and Node itself reads some variables when it starts. */
function needsOwnProcess([command = ""]: readonly string[], env: Readonly<Record<string, string>>): boolean {
  return ["serve", "ui", "drive"].includes(command) || mayNotBeKept(env);
}

/** Where no process is kept, or Node itself would read a variable when it starts. */
export function mayNotBeKept(env: Readonly<Record<string, string>>): boolean {
  return process.env.FROND_OWN_PROCESSES === "1" || Object.keys(env).some((name) => name.startsWith("NODE_"));
}

/** A workflow file, as YAML is a superset of JSON. */
export function workflow(name: string, blocks: readonly object[], more: object = {}): string {
  return JSON.stringify({ name, description: `The workflow ${name}`, ...more, blocks }, null, 2);
}

export function shell(id: string, command: string, more: object = {}): object {
  return { id, type: "Shell", inputs: { command }, ...more };
}
