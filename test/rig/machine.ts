import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import type { Owners } from "../../src/journal/owner.ts";
import { decorateJournal, type JournalCall } from "./decorate-journal.ts";

/** What outlives a process: journal, workspace and logs. It knows which of its processes are gone. */
export class TestMachine {
  readonly journal: Journal;
  readonly workspace: string;
  readonly stateDirectory: string;
  readonly #gone = new Set<number>();
  #lastPid = 0;

  /** What it keeps on the disk is below a directory for such things. */
  constructor(journal: Journal = createMemoryJournal(), parent: string = tmpdir()) {
    this.journal = journal;
    this.workspace = realpathSync(mkdtempSync(join(parent, "frond-test-")));
    this.stateDirectory = mkdtempSync(join(parent, "frond-state-"));
  }

  /** Another process of the machine. */
  boot(): TestProcess {
    const pid = ++this.#lastPid;
    const gone = this.#gone;
    return new TestProcess(this.journal, {
      self: { bootId: "test", pidNamespace: "test", pid, startTime: "" },
      isGone: ({ owner }) => gone.has(owner.pid),
      bury: () => void gone.add(pid),
    });
  }

  /** The others take it for dead although it goes on, as after a clock was set or a machine slept. */
  presumeGone({ owners }: TestProcess): void {
    this.#gone.add(owners.self.pid);
  }

  close(): void {
    const made = [this.workspace, this.stateDirectory, `${this.stateDirectory}-workspaces`];
    for (const directory of made) rmSync(directory, { recursive: true, force: true });
  }
}

/** A machine for several engines of one test; goes with the test. */
export function createMachine(journal?: Journal, parent?: string): TestMachine {
  const machine = new TestMachine(journal, parent);
  onTestFinished(() => machine.close());
  return machine;
}

/** The moment a process is to die in: when it wants to make something durable next, or when it has done so. */
export type Doom = "before-append" | "after-append";

/** A process that can die as by kill -9: nothing that it asks of the journal from then on happens or is answered. */
export class TestProcess {
  readonly owners: Owners;
  readonly journal: Journal;
  readonly #bury: () => void;
  #isDead = false;
  #doom: Doom | undefined;

  constructor(journal: Journal, owners: Owners & { bury(): void }) {
    this.owners = owners;
    this.#bury = owners.bury;
    this.journal = decorateJournal(journal, (call) => this.#answer(call));
  }

  die(): void {
    this.#isDead = true;
    this.#bury();
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Lets it die by itself. */
  doom(when: Doom): void {
    this.#doom = when;
  }

  #answer({ name, given, perform }: JournalCall): unknown {
    const doom = name === "append" && !isOfSlowCommand(given) ? this.#doom : undefined;
    if (doom === "before-append") this.die();
    if (this.#isDead) return never;
    const answer = perform();
    if (doom === "after-append") this.die();
    return this.#isDead ? never : answer;
  }
}

/** Only on a busy machine is there anything to tell of a command that runs: no test can wait for that. */
function isOfSlowCommand([, , events]: readonly unknown[]): boolean {
  return (events as readonly RunEvent[]).every(({ type }) => type === "process-started");
}

const never = new Promise<never>(() => {});
