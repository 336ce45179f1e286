import type { Problem } from "../diagnostic/problem.ts";
import type { Platform } from "../runs/platform.ts";
import type { Metrics } from "../telemetry/run-metrics.ts";
import type { Log } from "../util/log.ts";
import { ok, type Result } from "../util/result.ts";
import { byToken } from "./guard.ts";
import { type HealthSource, healthAt } from "./health-endpoint.ts";
import { listen } from "./listen.ts";
import { metricsAt } from "./metrics-endpoint.ts";
import type { Admission } from "./serve-http.ts";

/** Where a process that serves nothing else tells how it is. */
export interface FiguresOptions {
  readonly admission: Admission;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly platform: Platform;
  readonly metrics: Metrics;
  readonly log: Log;
  isDraining(): boolean;
}

/** Serves health and metrics, and nothing that could change anything. Gives how to end that. */
export async function serveFigures(options: FiguresOptions): Promise<Result<() => Promise<void>, Problem>> {
  const { admission, port, allowedHosts, platform, metrics, log } = options;
  const { address, token, tokenFile } = admission;
  const authorise = byToken(token, tokenFile);
  const endpoints = [
    healthAt("/healthz", healthOf(platform, options.isDraining)),
    metricsAt("/metrics", () => metrics.write(platform), authorise),
  ];
  const opened = await listen(endpoints, { address, ports: [port], allowedHosts, authorise, log });
  if (!opened.ok) return opened;
  log("info", "listening", { url: opened.value.url, token_file: tokenFile });
  return ok(() => opened.value.close());
}

export function healthOf(platform: Platform, isDraining: () => boolean): HealthSource {
  return { isDraining, reachJournal: async () => (await platform.journal()).holds("", 0) };
}
