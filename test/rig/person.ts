import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Ended, type Frond, frondProgram } from "./frond.ts";
import { waitFor } from "./wait-for.ts";

/** The commands of Frond that a text tells its reader to type: in backquotes, or behind a colon to the end of its line. */
export function commandsIn(text: string): readonly string[] {
  return [
    ...text.matchAll(
      /`((?:cd [^`]+ && )?(?:FROND_STATE_DIR=[^ `]+ )?frond [^`]+)`|: (frond [^\n`()]+?)(?=\.?$|\. | \(|\))/gm,
    ),
  ].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

export interface TypeOptions {
  /** Where the person is. Somewhere else than the project, unless the text says where. */
  readonly directory?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What the person types when this is shown. */
  readonly answers?: readonly (readonly [shown: string, keys: string])[];
}

/** A directory for PATH in which `frond` is a command, as after an installation. */
export function installFrond(frond: Frond): string {
  const bin = join(dirname(frond.home), "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "frond"), `#!/bin/sh\nexec '${process.execPath}' '${frondProgram}' "$@"\n`);
  chmodSync(join(bin, "frond"), 0o755);
  return bin;
}

/** Types a whole command line into a shell at a terminal, where `frond` is a command as after an installation. */
export async function typeCommand(frond: Frond, command: string, options: TypeOptions = {}): Promise<Ended> {
  const { directory = frond.home, env = {}, answers = [] } = options;
  const bin = installFrond(frond);
  const child: ChildProcessWithoutNullStreams = spawn(
    "script",
    ["-qefc", `stty cols 80 rows 24; ${command}`, "/dev/null"],
    {
      cwd: directory,
      env: { ...frond.env, PATH: `${bin}:${frond.env.PATH}`, SHELL: "/bin/sh", ...env },
      stdio: "pipe",
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? -1, stdout, stderr: "" }));
  });
  for (const [shown, keys] of answers) {
    await waitFor(`the terminal to show ${shown}`, () => stdout.includes(shown)).catch((e) => {
      throw new Error(`${e.message}: ${stdout}`);
    });
    child.stdin.write(keys);
  }
  return ended;
}

/** Everything that a command says. */
export async function saidBy(frond: Frond, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await frond.run(args);
  return stdout + stderr;
}

/** Types what a text says, as it stands there, and nothing else: it has to be one command. */
export async function followCommand(frond: Frond, text: string, options: TypeOptions = {}): Promise<Ended> {
  const [command, ...others] = commandsIn(text);
  if (command === undefined || others.length > 0) throw new Error(`It has to name one command: ${text}`);
  return typeCommand(frond, command, { directory: frond.directory, ...options });
}

export function runIdIn(text: string): string {
  return /run_[0-9a-z]{16}/.exec(text)?.[0] ?? "";
}
