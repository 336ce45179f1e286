import { isAbsolute, resolve } from "node:path";
import * as z from "zod";
import {
  BlockCannotRun,
  type BlockContext,
  type BlockResult,
  type BlockSetting,
  type BlockType,
  type InputProblem,
  type KnownValues,
  type Written,
  type WrittenInputs,
  type WrittenSoFar,
} from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { Ports, ProcessRequest, ProcessResult } from "../block/ports.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { HeadAndTail } from "../util/head-and-tail.ts";
import { commandVariables } from "./command-variables.ts";
import { explainExit } from "./explain-exit.ts";
import { gitVariables } from "./git/git-variables.ts";
import { withPrelude } from "./shell/assemble-script.ts";
import { checkSurroundings } from "./shell/check-surroundings.ts";
import { explainEvaluable, runsWhenCalculated } from "./shell/evaluable-text.ts";
import { type ReadOutputs, readFileOutputs, scratchPath } from "./shell/file-outputs.ts";
import { checkLoopVariables } from "./shell/loop-variables.ts";
import { type ReadyCommand, ShellInput, shellCommand } from "./shell/shell-command.ts";
import { shellPrograms } from "./shell/shell-programs.ts";
import { textInput } from "./text-input.ts";

const inputs = () =>
  z.strictObject({
    command: z
      .string()
      .min(1)
      .optional()
      .describe("Shell text. ${...} in it are values, quoted by Frond: they never become shell source"),
    args: z.array(textInput()).min(1).optional().describe("A program and its arguments, run without a shell"),
    working_dir: z
      .string()
      .default("")
      .describe(
        "Directory to run in, relative to the workspace; default: the workspace. One that a value names lies inside it",
      ),
    env: z.record(z.string(), textInput()).default({}).describe("Environment variables to add"),
    env_policy: z
      .enum(["inherit", "clean"])
      .default("inherit")
      .describe("clean passes only PATH, HOME, locale and the like, and what env names"),
    stdin: z.string().default("").describe("Text for the command's standard input; empty by default"),
    shell: z
      .union([z.boolean(), z.string().min(1)])
      .default(true)
      .describe(
        "true: bash if present, else sh; a name picks one; false splits the command into words and runs it without",
      ),
    capture_output: z.boolean().default(true).describe("false: the output is not recorded"),
    strict: z.boolean().default(false).describe("Stop at the first command that fails (-euo pipefail)"),
    max_output: z
      .number()
      .int()
      .min(1000)
      .max(10_000_000)
      .default(1_000_000)
      .describe("Bytes recorded of each of stdout and stderr; the middle of longer output is left out"),
    keep_background: z
      .boolean()
      .default(false)
      .describe("Keep what the command started in the background until the run ends, or the process that runs it"),
    unsafe: z
      .boolean()
      .default(false)
      .describe(
        "Allows ${... | raw} in the command, values where a program runs them, and a working_dir outside the workspace",
      ),
  });

const outputs = () =>
  z.looseObject({
    exit_code: z.number().int().describe("0 for success; 128 + N when ended by signal N; -1 when it did not run"),
    stdout: z.string().describe("What it wrote to standard output, the middle left out above max_output"),
    stderr: z.string().describe("The same of standard error"),
  });

const mayFail =
  "Write `allow_failure: true` on the block, not under inputs: the workflow does not fail for it. A block that should run after it anyway says `depends_on: [{ block: ID, required: false }]`.";

export const shell: BlockType = defineLeaf({
  type: "Shell",
  summary: "Runs a command; it succeeds when the exit code is 0. Files it writes can become outputs.",
  inputs,
  outputs,
  droppedInputs: {
    "continue-on-error": mayFail,
    continue_on_error: mayFail,
    custom_outputs: "Declare files under the block's `outputs:` instead.",
  },
  otherNames: {
    ...{ cmd: "command", run: "command", script: "command", exec: "command" },
    ...{ cwd: "working_dir", dir: "working_dir", directory: "working_dir" },
    ...{ workdir: "working_dir", chdir: "working_dir" },
    ...{ environment: "env", variables: "env", input: "stdin" },
  },
  languages: { command: shellCommand },
  settledHints: ({ strict, keep_background: keeps }) => [
    ...(isTrue(strict) ? ["only-last-exit-code"] : []),
    ...(isTrue(keeps) ? ["background-command"] : []),
  ],
  secretInputs: ["command", "args", "env", "stdin"],
  envInput: "env",
  defaultOutputs: { exit_code: -1, stdout: "", stderr: "" },
  stateOutputs: { exit_code: 0 },
  fileOutputs: true,
  sandbox: true,
  effects: true,
  defaultTimeout: 120,
  timeoutInput: { name: "timeout", unit: "s" },
  capabilities: ["commands", "reads files", "writes files", "network"],
  undo: "irreversible",
  onInterrupted: "ask",
  // What it has started ends with the run.
  reusable: ({ keep_background: keeps }) => keeps !== true,
  check,
  checkValues,
  verify,
  programs: shellPrograms,
  run,
  adopt,
});

type ShellInputs = InputsOf<typeof inputs>;

function isTrue(written: Written | undefined): boolean {
  return written?.known === true && written.value === true;
}
type EndedProcess = ProcessResult & { readonly started: true };

function check(written: WrittenInputs, { isLoop }: BlockSetting): InputProblem[] {
  const problems: InputProblem[] = [];
  const { command, args, working_dir: directory, unsafe } = written;
  if ((command === undefined) === (args === undefined)) {
    const message = command === undefined ? "Shell needs a command." : "Shell takes either command or args, not both.";
    const fix =
      command === undefined
        ? "Add `command:` (shell text) or `args:` (a program and its arguments)."
        : "Remove one of them.";
    problems.push({ code: "command-or-args", level: "error", message, fix });
  }
  const pastes = command?.known === false && (command.compiled?.pasted ?? []).length > 0;
  if (pastes && !(unsafe?.known && unsafe.value === true)) {
    const message = "${... | raw} pastes a value as shell text, which can run anything.";
    problems.push({
      code: "raw-needs-unsafe",
      level: "error",
      message,
      fix: "Remove `| raw`, or say `unsafe: true`.",
      input: "command",
    });
  }
  const text = command?.known === false && command.compiled instanceof ShellInput ? command.compiled : undefined;
  if (text?.syntax !== undefined && isReadByShell(text, written.shell))
    problems.push({ ...text.syntax, input: "command" });
  if (isLoop) problems.push(...checkLoopVariables(text?.loopVariables ?? [], written.env));
  if (
    directory?.known &&
    typeof directory.value === "string" &&
    (isAbsolute(directory.value) || directory.value.split("/").includes(".."))
  ) {
    const message = "working_dir may lie outside the workspace.";
    problems.push({
      code: "outside-workspace",
      level: "hint",
      message,
      fix: "Use a path relative to the workspace.",
      input: "working_dir",
    });
  }
  return problems;
}

/** What a value could do in the command, and beside it. */
function checkValues({ command, args, stdin, env, unsafe, shell }: WrittenInputs, known: KnownValues): InputProblem[] {
  const input = command?.known === false && command.compiled instanceof ShellInput ? command.compiled : undefined;
  const inside = input?.check(known).map((problem) => ({ ...problem, input: "command" })) ?? [];
  if (unsafe?.known && unsafe.value === true) return inside;
  if (input?.syntax !== undefined && isReadByShell(input, shell)) return inside;
  return [...inside, ...checkSurroundings({ command: input, args, stdin, env }, known)];
}

/** Whether a shell reads the text that has the syntax of ours; of another one's only values are known to be misread. */
function isReadByShell({ hasValues }: ShellInput, shell: Written | undefined): boolean {
  if (shell === undefined || !shell.known) return true;
  if (shell.value === false) return false;
  return hasValues || shell.value === true || /(?:^|\/)(?:ba|da|a|k)?sh$/.test(String(shell.value));
}

/** `bash -n`, for commands that bash is going to run. */
async function verify(
  { command, shell: chosen }: WrittenInputs,
  { processes, environment: { findProgram } }: Ports,
): Promise<InputProblem[]> {
  const bash = findProgram("bash");
  const forBash = chosen === undefined || (chosen.known && (chosen.value === true || chosen.value === "bash"));
  if (bash === undefined || !forBash || command?.known !== false || !(command.compiled instanceof ShellInput))
    return [];
  if (command.compiled.syntax !== undefined) return [];
  const result = await processes.inspect(bash, ["-n"], command.compiled.checkable);
  if (result === undefined) return [];
  // Of a malformed [[ ]] bash complains without failing.
  const said = result.stderr.split("\n").find((line) => line !== "" && !line.includes(": warning: "));
  if (said === undefined && result.exitCode === 0) return [];
  const message = `bash can't read this command: ${said?.replace(/^\S*bash: (line \d+: )?/, "$1") ?? `exit code ${result.exitCode}`}`;
  return [{ code: "shell-syntax", level: "error", message, input: "command" }];
}

async function run(input: ShellInputs, context: BlockContext): Promise<BlockResult> {
  const directory = resolve(context.workspace, input.working_dir);
  const { file, args, fd3 } = invocation(input, context);
  const isChosen = !(input.unsafe || context.isLiteral("working_dir"));
  const env = await environment(input, context);
  const result = await context.processes.run({
    file,
    args,
    cwd: directory,
    ...(isChosen ? { within: context.workspace } : {}),
    env: isChosen ? { ...env, ...(await gitVariables(directory, env, context)) } : env,
    stdin: input.stdin,
    ...defined({ fd3 }),
    maxOutput: input.max_output,
    capture: input.capture_output,
    keepBackground: input.keep_background,
    owner: context.runId,
    signal: context.signal,
    ...(await enclosure(input, context)),
    onOutput: context.log,
  });
  if (!result.started) throw new BlockCannotRun(result.message);
  return settle(result, context, directory);
}

/** As if it had ended well just now, with what it had written. */
async function adopt(input: ShellInputs, soFar: WrittenSoFar, context: BlockContext): Promise<BlockResult> {
  const bounded = (text: string) => {
    const kept = new HeadAndTail(input.max_output);
    kept.write(Buffer.from(text));
    return kept.result();
  };
  const [stdout, stderr] = [bounded(soFar.stdout), bounded(soFar.stderr)];
  const directory = resolve(context.workspace, input.working_dir);
  return settle({ started: true, exitCode: 0, signal: null, stdout, stderr }, context, directory);
}

interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly fd3?: string;
}

function invocation(input: ShellInputs, context: BlockContext): Invocation {
  if (input.args !== undefined) {
    const [file = "", ...args] = input.args.map(String);
    return { file, args };
  }
  const command = context.compiled("command") as ReadyCommand;
  if (!input.unsafe) refuseEvaluable(input, command);
  if (input.shell === false) {
    const words = command.words();
    if (!words.ok) throw new BlockCannotRun(words.error);
    const [file = "", ...args] = words.value;
    return { file, args };
  }
  const file = findShell(input.shell, context);
  const script = input.strict ? `${strictMode(file)} ${command.script}` : command.script;
  if (Buffer.byteLength(script) > longestArgument) return throughFile(file, script, command.prelude);
  if (command.prelude === "") return { file, args: ["-c", script] };
  return { file, args: ["-c", withPrelude(script)], fd3: command.prelude };
}

/** What no reading of the script has found is found here: a value that bash would run, in a script that calculates. */
function refuseEvaluable(input: ShellInputs, { construct, evaluable }: ReadyCommand): void {
  if (construct === undefined) return;
  const variable = Object.entries(input.env).find(([, value]) => runsWhenCalculated(String(value)))?.[0];
  const outside = variable ?? (runsWhenCalculated(input.stdin) ? "stdin" : undefined);
  const found = evaluable ?? outside;
  if (found !== undefined) throw new BlockCannotRun(explainEvaluable(found, construct));
}

function findShell(wanted: true | string, { environment: { findProgram } }: BlockContext): string {
  if (wanted === true) return findProgram("bash") ?? findProgram("sh") ?? "/bin/sh";
  const file = isAbsolute(wanted) ? wanted : findProgram(wanted);
  if (file === undefined) throw new BlockCannotRun(`There is no shell '${wanted}' on PATH.`);
  return file;
}

function strictMode(shellFile: string): string {
  return /(bash|zsh|ksh)$/.test(shellFile) ? "set -euo pipefail;" : "set -eu;";
}

// Linux takes no single argument above 128 KiB; a longer script comes the way values come.
const longestArgument = 120_000;

function throughFile(file: string, script: string, prelude: string): Invocation {
  const quoted = script.replaceAll("'", `'\\''`);
  return { file, args: ["-c", withPrelude('eval "$FROND_SCRIPT"')], fd3: `${prelude}FROND_SCRIPT='${quoted}'\n` };
}

const cleanVariables = /^(PATH|HOME|LANG|LC_.*|TZ|TMPDIR|TERM|USER|SHELL)$/;

async function environment(input: ShellInputs, context: BlockContext): Promise<Record<string, string>> {
  const { variables } = context.environment;
  const inherited =
    input.env_policy === "clean"
      ? Object.fromEntries(Object.entries(variables).filter(([name]) => cleanVariables.test(name)))
      : variables;
  return {
    ...inherited,
    ...(await scratchVariable(input, context)),
    ...commandVariables(input.env, context),
  };
}

async function enclosure(input: ShellInputs, context: BlockContext): Promise<Pick<ProcessRequest, "sandbox">> {
  const { sandbox, workspace } = context;
  if (sandbox === undefined) return {};
  const { SCRATCH: scratch } = await scratchVariable(input, context);
  return { sandbox: { ...sandbox, workspace, ...defined({ scratch }) } };
}

/** A workspace that can't be written to is only a problem for those who need the scratch directory. */
async function scratchVariable(input: ShellInputs, context: BlockContext): Promise<{ SCRATCH?: string }> {
  try {
    return { SCRATCH: await scratchPath(context) };
  } catch (error) {
    const paths = context.fileOutputs.map(({ path }) => path);
    const texts = [input.command ?? "", ...(input.args ?? []).map(String), ...paths];
    if (!texts.some((text) => text.includes("SCRATCH"))) return {};
    throw error;
  }
}

async function settle(result: EndedProcess, context: BlockContext, directory: string): Promise<BlockResult> {
  const own = { exit_code: result.exitCode, stdout: result.stdout.text, stderr: result.stderr.text };
  const files: ReadOutputs = await readFileOutputs(context, directory).catch((error: unknown) => {
    // What a command that was stopped has written so far is told all the same.
    if (context.signal.aborted) return { outputs: {} };
    throw error;
  });
  const made: ValueMap = { ...own, ...missingFiles(context), ...files.outputs };
  if (result.exitCode !== 0) return { kind: "failed", message: explainExit(result), outputs: made };
  if (files.problem !== undefined) return { kind: "failed", message: files.problem, outputs: made };
  return { kind: "succeeded", outputs: made };
}

function missingFiles({ fileOutputs }: BlockContext): Record<string, Value> {
  return Object.fromEntries(fileOutputs.map(({ name }) => [name, null]));
}
