import { randomBytes } from "node:crypto";
import { type Parts, start } from "./app.ts";
import { createCatalog } from "./block/catalog.ts";
import { blockTypes } from "./blocks/index.ts";
import type { Problem } from "./diagnostic/problem.ts";
import type { Greeted } from "./greet.ts";
import { serve } from "./mcp/serve.ts";
import { serveStdio } from "./mcp/serve-stdio.ts";
import type { ServerContext } from "./mcp/server-context.ts";
import { claimStdout } from "./platform/claim-stdout.ts";
import { createLog } from "./platform/files/create-log.ts";
import { createPageFiles } from "./platform/files/page-files.ts";
import { watchDirectories } from "./platform/files/watch-directories.ts";
import { RunHost } from "./runs/run-host.ts";
import { isWithinRoots, type ServerSettings } from "./runs/server-settings.ts";
import type { Metrics } from "./telemetry/run-metrics.ts";
import { defined } from "./util/defined.ts";
import type { Log } from "./util/log.ts";
import { ok, type Result } from "./util/result.ts";
import { LogTails } from "./views/page/log-tail.ts";
import { RunPictures } from "./views/page/run-pictures.ts";
import { RunWatch } from "./views/watch-runs.ts";

/** The command line with the server; a bundle of its own, so that nothing else pays for loading the protocol. */
export function main(args: readonly string[], greeted?: Greeted): Promise<number> {
  return startServing(args, (context, parts) => onStdio(context, parts, greeted));
}

/** Serves until the signal comes, or nobody is left to serve. */
export type Serve = (
  context: ServerContext,
  parts: Pick<Parts, "signal" | "urgent" | "hear">,
) => Promise<Result<void, Problem>>;

/** The level of the log that the environment names. */
export function readLogLevel(): string | undefined {
  const { FROND_LOG_LEVEL, WORKFLOWS_LOG_LEVEL } = process.env;
  return FROND_LOG_LEVEL ?? WORKFLOWS_LOG_LEVEL;
}

export interface ServingOptions {
  readonly log?: Log;
  /** Count what the process does. */
  readonly metrics?: Metrics;
}

export function startServing(
  args: readonly string[],
  serveWith: Serve,
  { log = createLog(process.stderr, readLogLevel()), metrics }: ServingOptions = {},
): Promise<number> {
  return start(args, {
    ...defined({ metrics }),
    warn: (message) => log("warn", message),
    serve: (settings, parts) => serveWith(createServerContext(settings, parts, log), parts),
  });
}

export function createServerContext(
  settings: ServerSettings,
  { version, platform, openRuntime, openTestBench, readExample }: Parts,
  log: Log,
): ServerContext {
  const host = new RunHost(platform);
  const catalog = createCatalog(blockTypes);
  const files = createPageFiles();
  const isWanted = (workspace: string): boolean => isWithinRoots(workspace, settings.roots);
  return {
    version,
    settings,
    platform,
    host,
    catalog,
    log,
    runWatch: new RunWatch({ platform, log, isWanted }),
    pictures: new RunPictures(platform, catalog),
    logTails: new LogTails(),
    readPageFile(name) {
      const file = files.find(name);
      return file === undefined ? undefined : Buffer.from(file.bytes).toString("utf8");
    },
    openRuntime,
    openTestBench,
    readExample,
    watch: watchDirectories,
  };
}

/** How long a client may read nothing of the answers that are on their way when everything ends. */
const patienceMs = 1000;

/** `greeted` is what the client has said and heard already. */
export function onStdio(
  context: ServerContext,
  { signal }: Pick<Parts, "signal">,
  greeted: Greeted = { input: process.stdin, hasTools: false },
): Promise<Result<void, Problem>> {
  const output = claimStdout();
  const { input, hello, hasTools } = greeted;
  const streams = { input, output: output.stream, ...defined({ hello }) };
  return serve(
    context,
    randomBytes(32),
    async (handlers) =>
      ok({
        ended: serveStdio(context, handlers, streams, signal),
        close: () => output.end(patienceMs, signal),
      }),
    hasTools,
  );
}
