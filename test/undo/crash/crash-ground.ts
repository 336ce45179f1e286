import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RunEvent } from "../../../src/engine/events.ts";
import type { RunSummary } from "../../../src/journal/journal.ts";
import { openSqliteJournal } from "../../../src/journal/sqlite/sqlite-journal.ts";
import { createFrond, type Frond } from "../../rig/frond.ts";
import { memoryDirectory } from "../../rig/memory-directory.ts";
import { layOutTree, type TreeEntry } from "../random-tree.ts";
import { type TreeSnapshot, takeSnapshot } from "../tree-snapshot.ts";

export interface Course {
  /** Where it was killed; absent when it came to its end. */
  readonly killed?: string;
  /** Every point that it passed, in order, each with the events that had been recorded by then. */
  readonly passed: readonly PassedPoint[];
  readonly code: number;
  /** What it wrote. */
  readonly said: string;
}

export interface PassedPoint {
  /** `before rename workspace`. */
  readonly name: string;
  readonly events: ReadonlySet<string>;
}

/** A run as it stands in the journal. */
export interface LeftRun extends RunSummary {
  readonly events: readonly RunEvent[];
}

const faults = resolve("test/undo/crash/fault-points.cjs");

/** A workspace and a state directory in which real processes of Frond's are killed. */
export class CrashGround {
  readonly before: TreeSnapshot;
  readonly #frond: Frond;
  readonly #ends: (() => void | Promise<void>)[] = [];
  #starts = 0;

  constructor(tree: readonly TreeEntry[], workflows: Readonly<Record<string, string>>) {
    this.#frond = createFrond(workflows, (end) => void this.#ends.push(end), memoryDirectory());
    layOutTree(this.#frond.directory, tree);
    this.before = takeSnapshot(this.#frond.directory);
  }

  get stateDirectory(): string {
    return this.#frond.state;
  }

  /** Runs a command, and lets it die at the point of this number, if it gets so far. */
  async run(args: readonly string[], killAt = 0): Promise<Course> {
    const log = join(this.#frond.home, `faults-${this.#starts++}`);
    const ended = await this.#frond.run(args, {
      env: {
        NODE_OPTIONS: `--require ${faults}`,
        FROND_FAULT_AT: String(killAt),
        FROND_FAULT_LOG: log,
        FROND_FAULT_WORKSPACE: this.#frond.directory,
      },
    });
    const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : [];
    const killed = lines.find((line) => line.startsWith("killed "))?.slice("killed ".length);
    const { code, stdout, stderr } = ended;
    return { ...(killed === undefined ? {} : { killed }), passed: readPoints(lines), code, said: stdout + stderr };
  }

  snapshot(): TreeSnapshot {
    return takeSnapshot(this.#frond.directory);
  }

  /** All runs, oldest first, read from a copy: whoever comes next finds the journal as the dead have left it. */
  async runs(): Promise<readonly LeftRun[]> {
    const morgue = join(this.#frond.home, "morgue");
    rmSync(morgue, { recursive: true, force: true });
    mkdirSync(morgue, { mode: 0o700 });
    for (const name of ["frond.db", "frond.db-wal"]) {
      const file = join(this.#frond.state, name);
      if (existsSync(file)) copyFileSync(file, join(morgue, name));
    }
    const journal = await openSqliteJournal(morgue);
    try {
      const runs = await journal.list({});
      const read = runs.map(async (run) => ({ ...run, events: await journal.read(run.runId) }));
      return (await Promise.all(read)).toReversed();
    } finally {
      await journal.close();
    }
  }

  async close(): Promise<void> {
    for (const end of this.#ends.toReversed()) await end();
  }
}

/** What is recorded exists from the commit on. */
function readPoints(lines: readonly string[]): PassedPoint[] {
  let events: ReadonlySet<string> = new Set();
  const waiting: string[] = [];
  return lines.flatMap((line) => {
    if (line.startsWith("event ")) {
      waiting.push(line.slice("event ".length));
      return [];
    }
    const name = line.replace(/^killed /, "");
    if (name === "after commit journal" && waiting.length > 0) events = new Set([...events, ...waiting.splice(0)]);
    return [{ name, events }];
  });
}
