import type { Writable } from "node:stream";
import { type Log, type LogLevel, logLevels } from "../../util/log.ts";
import { escapeObeyed, printableJson } from "../../util/printable-json.ts";

/** Of what nobody reads, in bytes: a server that lives for weeks must not remember all that it ever said. */
const mostWaiting = 1_000_000;

/** One line of JSON for each message at or above a level. */
export function createLog(output: Writable, level: string | undefined): Log {
  const wanted = levelNamed(level);
  const least = logLevels.indexOf(wanted ?? "info");
  let leftOut = 0;
  const write: Log = (about, message, details) => {
    output.write(`${printableJson({ time: new Date().toISOString(), level: about, message, ...details })}\n`);
  };
  const log: Log = (about, message, details) => {
    if (logLevels.indexOf(about) < least) return;
    if (output.writableLength > mostWaiting) {
      leftOut += 1;
      return;
    }
    if (leftOut > 0) write("warn", `${leftOut} messages are missing here: the reader was too slow.`);
    leftOut = 0;
    write(about, message, details);
  };
  if (level !== undefined && wanted === undefined) {
    log("warn", `'${level}' is no level of messages: info is used instead. There are ${logLevels.join(", ")}.`);
  }
  return log;
}

/** For a person who has started a server at a terminal: what went wrong; and what happens, if it is to be told. */
export function createPlainLog(output: Writable, tellsAll = false): Log {
  return (level, message, { runId } = {}) => {
    const word = { debug: undefined, info: tellsAll ? "" : undefined, warn: "warning: ", error: "error: " }[level];
    const about = runId === undefined ? "" : `${runId}: `;
    if (word !== undefined) output.write(`${word}${escapeObeyed(`${about}${message}`)}\n`);
  };
}

function levelNamed(name: string | undefined): LogLevel | undefined {
  const lower = name?.toLowerCase() === "warning" ? "warn" : name?.toLowerCase();
  return logLevels.find((level) => level === lower);
}
