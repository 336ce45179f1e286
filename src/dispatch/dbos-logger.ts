import type { Log, LogLevel } from "../util/log.ts";
import type { DbosLogger } from "./dbos.ts";

/** While a database is away, DBOS says so at every poll: the same sentence is passed on once in this time. */
const sameMs = 60_000;
/** Sentences that are remembered for it. */
const mostRemembered = 200;

/** What DBOS says, in our log. What it calls information is about itself, and is for whoever looks for a mistake. */
export function createDbosLogger(log: Log, clock: () => number = Date.now): DbosLogger {
  const said = new Map<string, number>();
  const pass = (level: LogLevel) => (message: unknown) => {
    const text = `DBOS: ${String(message).split("\n", 1)[0]}`;
    const last = said.get(text);
    const now = clock();
    if (last !== undefined && now - last < sameMs) return;
    if (said.size >= mostRemembered) said.clear();
    said.set(text, now);
    log(level, text);
  };
  const [tell, warn] = [pass("debug"), pass("warn")];
  return {
    debug: () => {},
    info: tell,
    // A row that was handed on while its worker still had it: the journal has seen to it that only one of them could write.
    warn: (message) => (/no longer owned by this execution/.test(String(message)) ? tell : warn)(message),
    error: pass("error"),
  };
}
