import { availableParallelism } from "node:os";
import type { CaseResult, FileResult } from "../../testing/case-result.ts";
import { describeTests } from "../../testing/describe-tests.ts";
import { runTests } from "../../testing/run-tests.ts";
import { defined } from "../../util/defined.ts";
import { type AddCommand, type CliContext, exitCodes, openWorkspace } from "../context.ts";
import { listenForInterrupts } from "../listen-for-interrupts.ts";
import { parseCount } from "../options/parse-count.ts";
import { printJson, refuse } from "../print-diagnostics.ts";
import { printTestFile, summariseTests } from "../print-tests.ts";

interface Options {
  readonly jobs?: number;
  readonly filter?: string;
  readonly keep?: true;
  readonly json?: true;
}

export const addTestCommand: AddCommand = (program, context, end) => {
  program
    .command("test")
    .description("test workflows, as the *.test.yaml files beside them say")
    .argument(
      "[path...]",
      "test files, workflows with one beside them, by file or name, or directories to look in (default: this one)",
    )
    .option(
      "--jobs <n>",
      "how many cases may run at the same time (default: as many as there are processors)",
      parseCount,
    )
    .option("--filter <text>", "run only cases whose name, or whose file's, holds this")
    .option("--keep", "keep the directories of cases that fail, and say where they are")
    .option("--json", "print one JSON document when all have ended")
    .action(async (paths: string[], options: Options) => end(await test(paths, options, context)));
};

async function test(paths: readonly string[], options: Options, context: CliContext): Promise<number> {
  const { terminal } = context;
  const json = options.json === true;
  const opened = openWorkspace(".", context);
  if (!opened.ok) return refuse(opened.error, json, terminal);
  const bench = context.openTestBench(opened.value.workspace);
  const interrupted = new AbortController();
  const cancel = (again: boolean): void => {
    interrupted.abort("cancelled");
    const said = again
      ? "Killing what is left."
      : "Cancelling: running cases are told to stop. Ctrl-C again kills them.";
    if (!json) terminal.writeError(`${said}\n`);
  };
  const stopListening = listenForInterrupts(context, { onEnd: cancel, kill: () => bench.kill() });
  const began = performance.now();
  try {
    const ran = await runTests(bench, {
      paths: paths.length === 0 ? ["."] : paths,
      vouches: true,
      jobs: options.jobs ?? availableParallelism(),
      ...defined({ filter: options.filter }),
      keep: options.keep === true,
      signal: interrupted.signal,
      onFile: (result) => (json ? undefined : printTestFile(result, terminal)),
    });
    if (!ran.ok) return refuse(ran.error, json, terminal);
    const durationMs = performance.now() - began;
    if (json) printJson(describeTests(ran.value, durationMs), terminal);
    else terminal.write(`${summariseTests(ran.value, durationMs, terminal.colour)}\n`);
    return exitCodeOf(ran.value);
  } finally {
    stopListening();
    await bench.close();
  }
}

function exitCodeOf(files: readonly FileResult[]): number {
  const has = (status: CaseResult["status"]): boolean =>
    files.some(({ cases }) => cases.some((one) => one.status === status));
  if (has("cancelled")) return exitCodes.cancelled;
  return has("failed") ? exitCodes.failure : exitCodes.success;
}
