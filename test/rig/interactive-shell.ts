import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Frond, frondProgram } from "./frond.ts";
import { waitFor } from "./wait-for.ts";

export type ShellName = "bash" | "zsh" | "fish";

export function hasShell(name: ShellName): boolean {
  return (process.env.PATH ?? "").split(":").some((directory) => existsSync(join(directory, name)));
}

/** `frond` as a command, as after an installation. Gives the directory that has to be on PATH. */
export function installFrond(frond: Frond): string {
  const bin = join(dirname(frond.home), "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "frond"), `#!/bin/sh\nexec '${process.execPath}' '${frondProgram}' "$@"\n`);
  chmodSync(join(bin, "frond"), 0o755);
  return bin;
}

/** Loads the script, and lets `frond` at the prompt print the arguments that it is given, each in angle brackets. */
const preparations: Readonly<Record<ShellName, readonly [command: string, ...lines: string[]]>> = {
  bash: [
    "bash --norc --noprofile -i",
    "bind 'set enable-bracketed-paste off'",
    "source <(frond completion bash)",
    `frond() { printf '<%s>' "$@"; echo "<end>"; }`,
  ],
  zsh: [
    "zsh -f -i",
    "unset zle_bracketed_paste; autoload -Uz compinit; compinit -u -D",
    "source <(frond completion zsh)",
    `frond() { printf '<%s>' "$@"; echo "<end>"; }`,
  ],
  fish: [
    "fish --no-config -i",
    "frond completion fish | source",
    `function frond; printf '<%s>' $argv; echo "<end>"; end`,
  ],
};

export interface InteractiveShell {
  /** Types a line with keys in it, and Enter; gives the arguments that the command got. */
  type(line: string): Promise<readonly string[]>;
}

/** A shell at a terminal whose user has installed the completion. */
export async function startShell(name: ShellName, frond: Frond): Promise<InteractiveShell> {
  const bin = installFrond(frond);
  const [command, ...lines] = preparations[name];
  const child: ChildProcessWithoutNullStreams = spawn(
    "script",
    ["-qefc", `stty cols 200 rows 50 -echo; exec ${command}`, "/dev/null"],
    {
      cwd: frond.directory,
      env: { ...frond.env, PATH: `${bin}:${frond.env.PATH}`, SHELL: "/bin/sh", TERM: "dumb" },
      stdio: "pipe",
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  let asked = 0;
  const enter = async (line: string, mark: RegExp): Promise<RegExpMatchArray> => {
    const from = output.length;
    child.stdin.write(`${line}\r`);
    let found: RegExpMatchArray | null = null;
    await waitFor(`${name} to answer ${line}`, () => {
      found = mark.exec(output.slice(from));
      return found !== null;
    }).catch((error: Error) => {
      throw new Error(`${error.message}: ${output}`);
    });
    return found as unknown as RegExpMatchArray;
  };
  for (const line of lines) {
    asked++;
    // The mark is put together by the shell, so that it is not found in what was typed.
    await enter(`${line}; echo "rea""dy"${asked}`, new RegExp(`ready${asked}`));
  }
  return {
    async type(line) {
      const [, args = ""] = await enter(line, /<([^\r\n]*)><end>/);
      return args.split("><");
    },
  };
}
