import type { Server } from "@modelcontextprotocol/server";
import { readVersion, start } from "./app.ts";
import type { Catalog } from "./block/catalog.ts";
import type { Problem } from "./diagnostic/problem.ts";
import { findServer } from "./http/find-server.ts";
import { admit, serveHttp, stateKey } from "./http/serve-http.ts";
import type { Era } from "./mcp/client.ts";
import { createServer } from "./mcp/create-server.ts";
import { isReachable } from "./mcp/reach-run.ts";
import { serve } from "./mcp/serve.ts";
import type { ServerContext } from "./mcp/server-context.ts";
import { createLog, createPlainLog } from "./platform/files/create-log.ts";
import { createPageFiles } from "./platform/files/page-files.ts";
import { createTokenStore } from "./platform/http/access-token.ts";
import { explainFailure } from "./runs/explain-failure.ts";
import type { Platform } from "./runs/platform.ts";
import { recoverInHost } from "./runs/recover-in-host.ts";
import type { RunHost } from "./runs/run-host.ts";
import type { HttpSettings } from "./runs/server-settings.ts";
import { onStdio, readLogLevel, type Serve, startServing } from "./serve.ts";
import { createMetrics, type Metrics } from "./telemetry/run-metrics.ts";
import { ok, type Result } from "./util/result.ts";
import { freezeRun } from "./views/page/freeze-run.ts";
import { writeRunFile } from "./views/page/write-run-file.ts";
import { startWorking } from "./work.ts";

/** The same with HTTP and with the page, which a client that starts a server for itself has no use for. */
export function main(args: readonly string[]): Promise<number> {
  if (args[0] === "show") return start(args, undefined, drawPage);
  if (args[0] === "worker") return startWorking(args);
  const level = readLogLevel();
  const isForPerson = args[0] === "ui" && level === undefined;
  const log = isForPerson ? createPlainLog(process.stderr) : createLog(process.stderr, level);
  const metrics = createMetrics(readVersion());
  const serveWith: Serve = (context, parts) => {
    const { http } = context.settings;
    return http === undefined ? onStdio(context, parts) : overHttp(context, http, metrics, parts);
  };
  return startServing(args, serveWith, { log, metrics });
}

/** A run as one file that needs no server. */
async function drawPage(platform: Platform, runId: string, catalog: Catalog): Promise<Result<string, Problem>> {
  const frozen = await freezeRun(platform, catalog, runId);
  if (!frozen.ok) return frozen;
  const files = createPageFiles();
  const read = (name: string): string => Buffer.from(files.find(name)?.bytes ?? []).toString("utf8");
  return ok(writeRunFile(frozen.value, { script: read("alone.js"), style: read("alone.css") }));
}

async function overHttp(
  context: ServerContext,
  settings: HttpSettings,
  metrics: Metrics,
  { signal, urgent, hear }: Parameters<Serve>[1],
): Promise<Result<void, Problem>> {
  const admission = await admit(settings, createTokenStore(context.platform.stateDirectory));
  if (!admission.ok) return admission;
  if (settings.joins) {
    const found = await findServer(admission.value, context.settings, settings.ports);
    if (found !== undefined) {
      hear({ kind: "joined", ...found });
      return ok(undefined);
    }
  }
  const { host } = context;
  const drained = drain(host, settings.drainMs, signal, urgent);
  let driven: readonly string[] = [];
  const served = await serve(context, stateKey(admission.value), async (handlers) => {
    const create = (era: Era): Server => createServer(context, handlers, era);
    const connection = await serveHttp(
      { context, handlers, create, pageFiles: createPageFiles(), metrics },
      admission.value,
      settings,
      drained.signal,
    );
    if (!connection.ok) return connection;
    const { url, issueLink, ended, close } = connection.value;
    hear({ kind: "opened", url, link: issueLink() });
    if (context.platform.dispatch !== undefined) void warnWithoutDatabase(context.platform);
    if (settings.recovers) {
      void recoverInHost({ ...context, isWanted: (workspace) => isReachable(workspace, context) }, signal);
    }
    const look = (): void => {
      driven = host.driven;
    };
    return ok({ ended: ended.then(look), close });
  });
  // Some may have ended by themselves at the last moment.
  if (served.ok)
    hear({ kind: "ended", left: driven.filter((runId) => host.hasStopped(runId)), asleep: drained.asleep });
  return served;
}

/** A server serves all the same, and is well as soon as the database is; who has started it should hear of it. */
async function warnWithoutDatabase({ journal, warn }: Platform): Promise<void> {
  try {
    await journal();
  } catch (error) {
    const failure = explainFailure(error);
    warn(failure?.message ?? (error instanceof Error ? error.message : String(error)));
  }
}

interface Drained {
  /** Comes when it is time to end. */
  readonly signal: AbortSignal;
  /** The runs that this process would have woken. */
  readonly asleep: readonly string[];
}

/** Between the first request to end and the end, runs may have some time. */
function drain(host: RunHost, longestMs: number, first: AbortSignal, urgent: AbortSignal): Drained {
  const ending = new AbortController();
  const drained = { signal: ending.signal, asleep: [] as readonly string[] };
  const begin = async (): Promise<void> => {
    drained.asleep = host.asleep;
    if (longestMs > 0) await host.drain(longestMs, urgent);
    ending.abort();
  };
  if (first.aborted) void begin();
  else first.addEventListener("abort", () => void begin(), { once: true });
  return drained;
}
