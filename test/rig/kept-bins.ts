import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** One command line, with all that it finds around it. */
export interface CommandLine {
  /** The file that it is run by. */
  readonly bundle: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A command line that runs in a kept process. */
export interface KeptRun {
  readonly pid: number;
  /** Resolves to the exit code; rejects when the process has ended without one. */
  readonly ended: Promise<number>;
  write(text: string): void;
  /** Ends its standard input. */
  end(): void;
  /** Of the process, which then serves no other. */
  kill(signal: NodeJS.Signals): void;
}

/** Hears what a command line writes. */
export interface Hearer {
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
}

interface Said {
  readonly stdout?: Buffer;
  readonly stderr?: Buffer;
  readonly code?: number;
  /** Whether nothing of it is left in the process. */
  readonly isAtRest?: boolean;
}

interface KeptBin {
  readonly process: ChildProcess;
  /** How many command lines it has run. */
  used: number;
}

const idle: KeptBin[] = [];
const mostIdle = 3;

/** What command lines leave in the memory of a process, and the files that they have not closed, go with it. */
const mostUses = 50;

/**
 * Runs a command line in a process that is kept for others: to start one takes several times as long as most command lines do. Those
 * at the same time have a process each.
 */
export function startInKeptBin(line: CommandLine, hearer: Hearer): KeptRun {
  const bin = idle.pop() ?? { process: start(), used: 0 };
  const child = bin.process;
  const ended = new Promise<number>((resolve, reject) => {
    const fail = (): void => reject(new Error(`The process of \`frond ${line.args.join(" ")}\` ended without a word.`));
    const hear = ({ stdout, stderr, code, isAtRest }: Said): void => {
      if (stdout !== undefined) hearer.stdout(stdout);
      if (stderr !== undefined) hearer.stderr(stderr);
      if (code === undefined) return;
      child.off("exit", fail).off("message", hear);
      if (isAtRest === true) keep(bin);
      resolve(code);
    };
    child.once("exit", fail).on("message", hear);
  });
  // Whoever waits for it is told; nobody has to.
  ended.catch(() => {});
  // That a process has died shows in how it ends, not in what it is sent.
  const send = (message: object): void => void child.send(message, () => {});
  send({ line });
  return {
    pid: child.pid ?? 0,
    ended,
    write: (text) => send({ stdin: Buffer.from(text) }),
    end: () => send({ isEnd: true }),
    kill: (signal) => void child.kill(signal),
  };
}

function keep(bin: KeptBin): void {
  bin.used += 1;
  if (bin.used < mostUses && idle.length < mostIdle) idle.push(bin);
  else bin.process.disconnect();
}

function start(): ChildProcess {
  const program = fileURLToPath(new URL("kept-bin.cjs", import.meta.url));
  const env = { PATH: process.env.PATH ?? "" };
  const started = fork(program, {
    env,
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    // Chunks stay bytes.
    serialization: "advanced",
  });
  // Whoever has no more tests to run does not wait for it.
  started.unref();
  started.channel?.unref();
  return started;
}
