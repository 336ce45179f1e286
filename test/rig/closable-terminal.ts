import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Frond } from "./frond.ts";
import { installFrond } from "./person.ts";
import { waitFor } from "./wait-for.ts";

/** A command line in a terminal that can be closed, as by the button of its window. */
export interface ClosableTerminal {
  /** Resolves when it has shown this. */
  until(text: string): Promise<void>;
  type(keys: string): void;
  /** Closes it: everything in the foreground is told by SIGHUP, and whoever writes to it gets EIO. */
  close(): void;
  /** Whether the other side of it is gone. */
  isClosed(): boolean;
  /** The exit code of the command line, whether or not the terminal is still there. */
  code(): Promise<number>;
  /** Everything it has shown. */
  shown(): string;
}

/**
 * Types a line into a shell that outlives its terminal, so that somebody is left to tell the exit code. The shell around it does
 * not: when the first process of a terminal ends, the system tells all the others in the foreground.
 */
export function openTerminal(frond: Frond, line: string, env: Readonly<Record<string, string>> = {}): ClosableTerminal {
  const codeFile = join(frond.home, `code-${Math.random()}`);
  const script = `${codeFile}.sh`;
  writeFileSync(script, `trap : HUP\n${line}\necho $? > '${codeFile}'\n`);
  const child = spawn("script", ["-qfc", `stty cols 80 rows 24; sh ${script}; true`, "/dev/null"], {
    cwd: frond.directory,
    env: { ...frond.env, PATH: `${installFrond(frond)}:${frond.env.PATH}`, SHELL: "/bin/sh", ...env },
    stdio: "pipe",
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stdin.on("error", () => {});
  const close = (): void => void child.kill("SIGKILL");
  onTestFinished(close);
  return {
    until: (text) =>
      waitFor(`the terminal to show ${text}`, () => stdout.includes(text)).catch((error: Error) => {
        throw new Error(`${error.message}\n${stdout}`);
      }),
    type: (keys) => void child.stdin.write(keys),
    close,
    isClosed: () => child.signalCode !== null,
    async code() {
      const isWritten = (): boolean => existsSync(codeFile) && readFileSync(codeFile, "utf8").endsWith("\n");
      await waitFor("the command to end", isWritten);
      return Number(readFileSync(codeFile, "utf8"));
    },
    shown: () => stdout,
  };
}
