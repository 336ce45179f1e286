import { isatty } from "node:tty";
import { start } from "./app.ts";
import type { WorkerSignals } from "./cli/context.ts";
import { type Problem, problem } from "./diagnostic/problem.ts";
import { createLog, createPlainLog } from "./platform/files/create-log.ts";
import { describeFailure } from "./runs/describe-failure.ts";
import { Worker, type WorkerParts, type WorkerSettings } from "./runs/worker.ts";
import { readLogLevel } from "./serve.ts";
import { err, ok, type Result } from "./util/result.ts";

/** The command line with a worker. */
export function startWorking(args: readonly string[]): Promise<number> {
  const level = readLogLevel();
  const isForPerson = level === undefined && isatty(2);
  const log = isForPerson ? createPlainLog(process.stderr, true) : createLog(process.stderr, level);
  const warn = (message: string): void => log("warn", message);
  return start(args, undefined, undefined, {
    warn,
    work: (parts, settings, signals) => work({ ...parts, log }, settings, signals),
  });
}

async function work(
  parts: WorkerParts,
  settings: WorkerSettings,
  { drain, now }: WorkerSignals,
): Promise<Result<readonly string[], Problem>> {
  const worker = new Worker(parts, settings);
  const { host } = parts.platform;
  try {
    await worker.start();
  } catch (error) {
    return err(problem("no-dispatch", `The worker can't start: ${describeFailure(error)}`));
  }
  const labels = settings.labels.join(", ") || "none";
  parts.log("info", `taking runs, ${settings.slots} at a time`, { host, labels, slots: settings.slots });
  await new Promise<void>((resolve) => {
    if (drain.aborted) resolve();
    else drain.addEventListener("abort", () => resolve(), { once: true });
  });
  const left = await worker.drain(now);
  parts.log("info", "stopped", { left: left.length });
  return ok(left);
}
