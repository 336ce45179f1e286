import type { Writable } from "node:stream";
import { type Log, type LogLevel, logLevels } from "../util/log.ts";

/** One line of JSON for each message at or above a level. */
export function createLog(output: Writable, level: string | undefined): Log {
  const wanted = levelNamed(level);
  const least = logLevels.indexOf(wanted ?? "info");
  const log: Log = (about, message, details) => {
    if (logLevels.indexOf(about) < least) return;
    output.write(`${JSON.stringify({ time: new Date().toISOString(), level: about, message, ...details })}\n`);
  };
  if (level !== undefined && wanted === undefined) {
    log("warn", `'${level}' is no level of messages: info is used instead. There are ${logLevels.join(", ")}.`);
  }
  return log;
}

function levelNamed(name: string | undefined): LogLevel | undefined {
  const lower = name?.toLowerCase() === "warning" ? "warn" : name?.toLowerCase();
  return logLevels.find((level) => level === lower);
}
