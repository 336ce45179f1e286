import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assembleScript, withPrelude } from "../../src/blocks/shell/assemble-script.ts";
import { compileCommand } from "../../src/blocks/shell/compile-command.ts";
import type { Value } from "../../src/expression/value.ts";
import { err, type Result } from "../../src/util/result.ts";

export const shells: readonly string[] = ["bash", "dash"].filter((shell) => spawnSync(shell, ["-c", ":"]).status === 0);

/** A directory to run shells in, with a file that exists only after hostile text has run. */
export class Canary {
  readonly directory: string = mkdtempSync(join(tmpdir(), "frond-shell-"));
  readonly path: string = join(this.directory, "CANARY");
  /** A program that does the same, for text that can hold no slash and no space; in batches it is on the PATH. */
  readonly program: string = "kanari";

  constructor() {
    writeFileSync(join(this.directory, this.program), `#!/bin/sh\n: > ${this.path}\n`, { mode: 0o755 });
  }

  /** What hostile text runs. */
  get command(): string {
    return `touch ${this.path}`;
  }

  sang(): boolean {
    const exists = existsSync(this.path);
    rmSync(this.path, { force: true });
    return exists;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script as a Shell block does: the prelude on descriptor 3, which is closed before the author's text runs. */
export function runWithPrelude(shell: string, script: string, prelude: string, directory: string): Outcome {
  const path = join(directory, "prelude");
  writeFileSync(path, prelude);
  const descriptor = openSync(path, "r");
  try {
    return runText(shell, withPrelude(script), directory, descriptor);
  } finally {
    closeSync(descriptor);
    rmSync(path);
  }
}

export function runText(
  shell: string,
  text: string,
  directory: string,
  descriptor?: number,
  environment: Readonly<Record<string, string>> = {},
): Outcome {
  const { stdout, stderr } = spawnSync(shell, ["-c", text], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe", descriptor ?? "ignore"],
    encoding: "utf8",
    timeout: 60_000,
  });
  return { stdout, stderr };
}

export interface Script {
  readonly script: string;
  readonly prelude: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface BatchOutcome {
  readonly stdout: string;
  /** Whether hostile text ran. */
  readonly ran: boolean;
}

/** Runs many scripts in one shell, each in a subshell of its own, which is far cheaper than a shell for each. */
export function runBatch(shell: string, scripts: readonly Script[], canary: Canary): BatchOutcome[] {
  const directory = mkdtempSync(join(canary.directory, "batch-"));
  const hold = createHolder(directory);
  const steps = scripts.flatMap(({ script, prelude, stdin = "", env = {} }, index) => {
    const exports = Object.entries(env).map(([name, text]) => `export ${name}='${text.replaceAll("'", "'\\''")}'\n`);
    const [given, text] = [hold(exports.join("")), hold(withPrelude(script))];
    return [
      `(ulimit -t 2; cd work; . ../${given}; . ../${text}) 3<${hold(prelude)} >out-${index} 2>/dev/null <${hold(stdin)}`,
      `if [ -e ${canary.path} ]; then rm -f ${canary.path}; : >ran-${index}; fi`,
      emptyWork,
    ];
  });
  mkdirSync(join(directory, "work"));
  writeFileSync(join(directory, "driver"), [`PATH=${canary.directory}:$PATH`, ...steps, ": >finished"].join("\n"));
  // With all that it has started: a script that waits for ever must not outlive its time.
  const { stderr } = runText(shell, `exec timeout -k 1 50 ${shell} -c '. ./driver'`, directory);
  const begun = scripts.filter((_, index) => existsSync(join(directory, `out-${index}`)));
  const isFinished = existsSync(join(directory, "finished"));
  if (begun.length === 0) throw new Error(`The batch did not begin: ${stderr}`);
  const outcomes = begun.map((_, index) => ({
    stdout: readFileSync(join(directory, `out-${index}`), "utf8"),
    ran:
      existsSync(join(directory, `ran-${index}`)) || (!isFinished && index === begun.length - 1 && tookCanary(canary)),
  }));
  rmSync(directory, { recursive: true, force: true });
  // A script that waits for ever, for something that nobody writes, has had its time; those after it have not.
  const left = scripts.slice(begun.length);
  return left.length === 0 ? outcomes : [...outcomes, ...runBatch(shell, left, canary)];
}

function tookCanary({ path }: Canary): boolean {
  const isThere = existsSync(path);
  rmSync(path, { force: true });
  return isThere;
}

/** So that no script reads what another has written. Most write nothing, and then this starts no process. */
const emptyWork = [
  'for i in work/* work/.[!.]* work/..?*; do if [ -e "$i" ] || [ -L "$i" ]; then rm -rf work; break; fi; done',
  "if [ ! -d work ]; then mkdir work; fi",
].join("\n");

/** Names of files that hold texts: one for all that are the same, as to make a file costs more than to run most scripts. */
function createHolder(directory: string): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = `text-${names.size}`;
    writeFileSync(join(directory, name), text);
    names.set(text, name);
    return name;
  };
}

/** A command all of whose values are `value`, or why it is refused, before or when the value is known. */
export function tryAssemble(command: string, value: Value): Result<Script, string> {
  return tryAssembleEach(command, [value])[0] as Result<Script, string>;
}

/** The same for one value after the other. */
function tryAssembleEach(command: string, given: readonly Value[]): Result<Script, string>[] {
  const compiled = compileCommand(command);
  return given.map((value) => {
    if (!compiled.ok) return err(compiled.error.map((problem) => problem.message).join(" "));
    const { values } = compiled.value;
    const assembled = assembleScript(
      compiled.value,
      values.map(() => value),
    );
    return assembled.ok ? assembled : err(assembled.error.message);
  });
}

/** The same; throws when one is refused. */
export function assembleEach(command: string, given: readonly Value[]): Script[] {
  return tryAssembleEach(command, given).map((assembled) => {
    if (!assembled.ok) throw new Error(assembled.error);
    return assembled.value;
  });
}

/** Compiles and runs a command all of whose values are `value`. */
export function runCommand(shell: string, command: string, value: Value, directory: string): Outcome {
  const { script, prelude } = assembleEach(command, [value])[0] as Script;
  return runWithPrelude(shell, script, prelude, directory);
}
