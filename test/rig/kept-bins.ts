import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** One command line, with all that it finds around it. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | undefined;
}

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface KeptBin {
  readonly process: ChildProcess;
  /** How many command lines it has run. */
  used: number;
}

const idle: KeptBin[] = [];
const mostIdle = 2;

/** What command lines leave in the memory of a process, and the files that they have not closed, go with it. */
const mostUses = 50;

/**
 * Runs a command line in a process that is kept for others: to start one takes several times as long as most command lines do. Those
 * at the same time have a process each. `atEnd` is told how to end one that nobody waits for any more.
 */
export function runInKeptBin(bundle: string, line: CommandLine, atEnd: (end: () => void) => void): Promise<Said> {
  const bin = idle.pop() ?? { process: start(bundle), used: 0 };
  let isRunning = true;
  atEnd(() => {
    if (isRunning) bin.process.kill("SIGKILL");
  });
  return new Promise<Said>((resolve, reject) => {
    const fail = (): void => reject(new Error(`The process of \`frond ${line.args.join(" ")}\` ended without a word.`));
    bin.process.once("exit", fail).once("message", (said) => {
      bin.process.off("exit", fail);
      isRunning = false;
      keep(bin);
      resolve(said as Said);
    });
    bin.process.send(line);
  });
}

function keep(bin: KeptBin): void {
  bin.used += 1;
  if (bin.used < mostUses && idle.length < mostIdle) idle.push(bin);
  else bin.process.disconnect();
}

function start(bundle: string): ChildProcess {
  const program = fileURLToPath(new URL("kept-bin.cjs", import.meta.url));
  const env = { PATH: process.env.PATH ?? "" };
  const started = fork(program, [bundle], { env, execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  // Whoever has no more tests to run does not wait for it.
  started.unref();
  started.channel?.unref();
  return started;
}
