import { spawn } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { defined } from "../../util/defined.ts";
import { makeDirectories } from "../../util/make-directories.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { withoutMark } from "./engine-mark.ts";
import { coverInherited } from "./inherited-descriptors.ts";
import { openInheritedText } from "./inherited-text.ts";

/** How Frond is started again, by itself. */
export interface DriverOptions {
  /** With Node's own options. */
  readonly command: readonly string[];
  /** What it is told that stands in no environment, or is no longer there: variables of files, and secrets. */
  variables(): Readonly<Record<string, string>>;
  /** What it needs before it can read that: it takes it out of its environment as we did. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where each run has a directory of its own for what is written about it. */
  readonly logs: string;
}

/** Processes that drive a run with no terminal, and outlive whoever started them. */
export interface Drivers {
  /** Resolves to what it reports, or to nothing when it has ended without; or fails with why it could not be started. */
  start(
    runId: string,
    args: readonly string[],
    task?: string,
  ): Promise<Result<{ pid: number; report: string }, string>>;
  /** In such a process: what it was told. */
  readInput(): DriverInput;
  /** In such a process: tells whoever has started it, if they still live. */
  report(text: string): void;
  /** The end of what such processes of a run had to say besides; empty for most. */
  lastWords(runId: string): string;
}

export interface DriverInput {
  readonly variables: Readonly<Record<string, string>>;
  readonly task?: string;
}

const reportDescriptor = 3;
const longestWords = 2000;

export function createDrivers({ command, variables, environment, logs }: DriverOptions): Drivers {
  const logOf = (runId: string): string => join(logs, runId, "process.log");
  return {
    async start(runId, args, task) {
      const [program = "", ...before] = command;
      const opened: number[] = [];
      try {
        makeDirectories(join(logs, runId), 0o700);
        const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
        const log = openSync(logOf(runId), flags, 0o600);
        opened.push(log);
        // No argument or variable, which others can read for a while or for ever; and all of it is there before the process is.
        const input = openInheritedText(JSON.stringify({ variables: variables(), ...defined({ task }) }));
        opened.push(input);
        const covers = coverInherited(reportDescriptor + 1);
        if (covers.nothing !== undefined) opened.push(covers.nothing);
        const child = spawn(program, [...before, ...args], {
          env: { ...withoutMark(process.env), ...environment },
          // A session of its own: no terminal, and no signal of one. Whoever waits for the end of our streams must not wait for it.
          detached: true,
          stdio: [input, "ignore", log, "pipe", ...covers.entries],
        });
        const failure = new Promise<string>((resolve) => child.once("error", ({ message }) => resolve(message)));
        const { pid } = child;
        if (pid === undefined) return err(await failure);
        child.unref();
        return ok({ pid, report: await readLine(child.stdio[reportDescriptor] as Socket) });
      } catch (error) {
        return err(error instanceof Error ? error.message : String(error));
      } finally {
        for (const descriptor of opened) closeSync(descriptor);
      }
    },
    readInput: () => JSON.parse(readFileSync(0, "utf8")) as DriverInput,
    report(text) {
      try {
        writeSync(reportDescriptor, `${text}\n`);
        // The commands of the run have no business with it.
        closeSync(reportDescriptor);
      } catch {
        // They were killed meanwhile, and the run goes on.
      }
    },
    lastWords(runId) {
      try {
        return readFileSync(logOf(runId), "utf8").slice(-longestWords).trim();
      } catch {
        return "";
      }
    },
  };
}

/** Up to the end of the first line, or of everything. */
function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const done = (): void => {
      socket.destroy();
      resolve(text.split("\n")[0] ?? "");
    };
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      if (text.includes("\n")) done();
    });
    socket.on("error", done).on("close", done);
  });
}
