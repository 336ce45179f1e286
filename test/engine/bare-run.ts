import type { Clock, Ports, RunLogs } from "../../src/block/ports.ts";
import type { FrozenDefinition, RunEvent } from "../../src/engine/events.ts";
import { defaultLimits } from "../../src/engine/limits.ts";
import { Runner } from "../../src/engine/runner.ts";
import { Secrets } from "../../src/engine/secrets.ts";
import type { PlanSource, RunState } from "../../src/engine/state.ts";
import { createMemoryBlobs } from "../../src/platform/files/memory-blobs.ts";
import { KeyedLocks } from "../../src/util/keyed-locks.ts";
import { err, ok } from "../../src/util/result.ts";
import { Semaphore } from "../../src/util/semaphore.ts";
import { idle } from "../rig/idle.ts";
import { foldAnew } from "./snapshot.ts";

export interface BareSurroundings {
  readonly plans: PlanSource;
  readonly processSlots: number;
  readonly clock: Clock;
  /** Workflows that can be found late. */
  readonly library: ReadonlyMap<string, FrozenDefinition>;
}

/** A run that goes on from any of its events, with nothing around it: no journal, no files, no processes. */
export class BareRun {
  readonly events: RunEvent[];
  readonly state: RunState;
  readonly #runner: Runner;

  constructor(before: readonly RunEvent[], { plans, processSlots, clock, library }: BareSurroundings) {
    this.events = [...before];
    this.state = foldAnew(before, plans);
    const bounds = { processSlots: new Semaphore(processSlots), directoryInside: unused, warn: unused };
    this.#runner = new Runner(this.state, {
      platform: {
        ...ports,
        ...kept,
        clock,
        isolation,
        locks: new KeyedLocks(),
        secrets: new Secrets(new Map()),
        ...bounds,
      },
      scratch: {
        path: unused,
        write: unused,
        take: async () => undefined,
        remove: async () => {},
        removeIfEmpty: async () => {},
      },
      limits: defaultLimits,
      findLate: (name) => {
        const found = library.get(name);
        return found === undefined ? err(`No workflow is named '${name}'.`) : ok(found);
      },
      commit: async (events) => void this.events.push(...events),
      onEvents() {},
      onOutput() {},
      confirmHeld: unused,
      rollBack: unused,
      stateDirectory: "/nowhere",
      changesFound: new Map(),
    });
  }

  /** Lets everything happen that can happen by itself. */
  async goOn(): Promise<void> {
    let failure: unknown;
    this.#runner.drive().catch((error: unknown) => {
      failure = error;
    });
    await idle();
    if (failure !== undefined) throw failure;
  }

  async answer(id: string, answer: string): Promise<void> {
    const answered = await this.#runner.answer(id, answer, "test");
    if (!answered.ok) throw new Error(answered.error);
  }
}

function unused(): never {
  throw new Error("Nothing in this run should need that.");
}

const ports: Omit<Ports, "clock"> = {
  prices: { of: unused },
  processes: {
    run: unused,
    inspect: unused,
    endBackground: async () => {},
    endLeftovers: unused,
    endStrays: unused,
    close: unused,
  },
  files: {
    withSignal: () => ports.files,
    newFileMode: 0o644,
    newDirectoryMode: 0o755,
    look: unused,
    read: unused,
    hash: unused,
    readPieces: unused,
    list: unused,
    replace: unused,
    remove: unused,
    makeDirectory: unused,
    makeLink: unused,
    removeTree: unused,
    rename: unused,
    setMode: unused,
  },
  http: { request: unused },
  browsers: { perform: unused, end: async () => {} },
  environment: { variables: {}, findProgram: unused },
};

const isolation = { find: unused, open: unused, sweep: unused };
const blobs = createMemoryBlobs();
const observer = { begin: unused, compare: unused, recall: unused };

const logs: RunLogs = {
  open: unused,
  read: async () => ({ chunks: [], position: 0 }),
  readEnd: unused,
  sizes: unused,
  remove: unused,
};

const kept = { logs, blobs, observer };
