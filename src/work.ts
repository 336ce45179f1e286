import { isatty } from "node:tty";
import { readVersion, start } from "./app.ts";
import type { WorkerSignals } from "./cli/context.ts";
import { type Problem, problem } from "./diagnostic/problem.ts";
import { serveFigures } from "./http/serve-figures.ts";
import { admit } from "./http/serve-http.ts";
import { createLog, createPlainLog } from "./platform/files/create-log.ts";
import { createTokenStore } from "./platform/http/access-token.ts";
import { describeFailure } from "./runs/describe-failure.ts";
import { Worker, type WorkerParts, type WorkerSettings } from "./runs/worker.ts";
import { readLogLevel } from "./serve.ts";
import { createMetrics, type Metrics } from "./telemetry/run-metrics.ts";
import { err, ok, type Result } from "./util/result.ts";

/** The command line with a worker. */
export function startWorking(args: readonly string[]): Promise<number> {
  const level = readLogLevel();
  const isForPerson = level === undefined && isatty(2);
  const log = isForPerson ? createPlainLog(process.stderr, true) : createLog(process.stderr, level);
  const warn = (message: string): void => log("warn", message);
  const metrics = createMetrics(readVersion());
  return start(args, undefined, undefined, {
    warn,
    metrics,
    work: (parts, settings, signals) => work({ ...parts, log }, settings, signals, metrics),
  });
}

async function work(
  parts: WorkerParts,
  settings: WorkerSettings,
  { drain, now }: WorkerSignals,
  metrics: Metrics,
): Promise<Result<readonly string[], Problem>> {
  const serving = await tellFigures(parts, settings, drain, metrics);
  if (!serving.ok) return serving;
  const worker = new Worker(parts, settings);
  const { host } = parts.platform;
  try {
    await worker.start();
  } catch (error) {
    await serving.value();
    const fix = "Run `frond doctor` with the same FROND_DATABASE_URL, which looks at all that a worker needs.";
    return err(problem("no-dispatch", `The worker can't start: ${describeFailure(error)}`, fix));
  }
  const labels = settings.labels.join(", ") || "none";
  parts.log("info", `taking runs, ${settings.slots} at a time`, { host, labels, slots: settings.slots });
  await new Promise<void>((resolve) => {
    if (drain.aborted) resolve();
    else drain.addEventListener("abort", () => resolve(), { once: true });
  });
  const left = await worker.drain(now);
  await serving.value();
  parts.log("info", "stopped", { left: left.length });
  return ok(left);
}

/** How it is, for those who look after it, where that is asked for. Gives how to end that. */
async function tellFigures(
  { platform, log }: WorkerParts,
  { http }: WorkerSettings,
  drain: AbortSignal,
  metrics: Metrics,
): Promise<Result<() => Promise<void>, Problem>> {
  if (http === undefined) return ok(async () => {});
  const admission = await admit(http, createTokenStore(platform.stateDirectory));
  if (!admission.ok) return admission;
  const { port, allowedHosts } = http;
  const isDraining = (): boolean => drain.aborted;
  return serveFigures({ admission: admission.value, port, allowedHosts, platform, metrics, log, isDraining });
}
