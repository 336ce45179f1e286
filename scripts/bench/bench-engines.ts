import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import { parallel } from "./bench.ts";
import { type BenchEngine, createBenchEngine } from "./bench-engine.ts";
import { noJournal, oneCommitPerEvent } from "./bench-journals.ts";

/** Engines in this process: what they tell is what the engine does by itself, without the process that it is in. */
export interface BenchEngines {
  /** Keeps no journal. */
  readonly engine: BenchEngine;
  /** Keeps one as the product does. */
  readonly durable: BenchEngine;
  readonly onePerEvent: BenchEngine;
}

export async function withEngines<T>(state: string, action: (engines: BenchEngines) => Promise<T>): Promise<T> {
  process.env.FROND_STATE_DIR = state;
  const journal = await openSqliteJournal(state);
  const engines = {
    engine: createBenchEngine(parallel, noJournal),
    durable: createBenchEngine(parallel, journal),
    onePerEvent: createBenchEngine(parallel, oneCommitPerEvent(journal)),
  };
  try {
    return await action(engines);
  } finally {
    for (const one of Object.values(engines)) await one.close();
    await journal.close();
  }
}
