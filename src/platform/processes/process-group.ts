import { setTimeout as delay } from "node:timers/promises";
import { findSession, type LivingProcess, readProcess } from "./process-table.ts";

const firstPauseMs = 1;
const longestPauseMs = 50;
/** Reading the process table is expensive, so only a group that has not gone quickly is looked up in it. */
const pauseBeforeTableMs = 16;
/** After KILL only a process stuck in the kernel remains; nobody should wait for that. */
const patienceAfterKillMs = 2000;
/** Much less than it takes until process ids have gone all the way round. */
const youthMs = 1000;

/** Of every group that is not forgotten, so that many commands side by side do not look at each other. */
const leaders = new Set<number>();

export interface GroupOptions {
  /** On `performance.now()`. */
  readonly startedAt?: number;
  /** The leader is a sandbox: it ends when the command does, and with it everything inside ends at once. */
  readonly isEnclosed?: boolean;
}

/**
 * The processes of one command: the group it leads and, where there is a process table, every other group of the session it
 * leads, because `timeout` and job control make groups of their own. Both have the leader's id, which may be given to somebody
 * else once they are empty; so what has been seen empty is forgotten and never signalled again.
 */
export class ProcessGroup {
  readonly #id: number;
  readonly #onGone: (id: number) => void;
  readonly #startedAt: number;
  readonly #isEnclosed: boolean;
  #gone = false;
  /** Found last in the table: as long as it lives, the table need not be read again. */
  #knownMember: number | undefined;
  #killAt: number = Number.POSITIVE_INFINITY;
  #ending: Promise<void> | undefined;

  constructor(id: number, onGone: (id: number) => void, options: GroupOptions = {}) {
    this.#id = id;
    this.#onGone = onGone;
    this.#startedAt = options.startedAt ?? performance.now();
    this.#isEnclosed = options.isEnclosed ?? false;
    leaders.add(id);
  }

  isAlive(): boolean {
    if (this.#gone) return false;
    // Mostly nobody is left: the table just says so, where a signal would tell by an exception, which is expensive.
    if (this.#hasLivingMember() ?? signal(-this.#id, 0)) return true;
    this.#forget();
    return false;
  }

  /** TERM now, KILL when the grace is over. Asked again, it can only shorten the grace. */
  end(graceMs: number): Promise<void> {
    this.#killAt = Math.min(this.#killAt, performance.now() + graceMs);
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.#terminate();
    let pause = firstPauseMs;
    // While it lives, though, a signal is cheaper than the table.
    while (!this.#gone && (signal(-this.#id, 0) || this.isAlive())) {
      if (pause > pauseBeforeTableMs && this.#hasLivingMember() === false) {
        // Only zombies are left; KILL does them no harm and catches a process born behind the look at the table.
        this.#signal("SIGKILL");
        break;
      }
      const overdueMs = performance.now() - this.#killAt;
      if (overdueMs >= 0) this.#signal("SIGKILL");
      if (overdueMs > patienceAfterKillMs) break;
      await delay(overdueMs < 0 ? Math.min(pause, -overdueMs) : pause);
      pause = Math.min(pause * 2, longestPauseMs);
    }
    this.#forget();
  }

  /** A stopped process acts on TERM only when it continues. */
  #terminate(): void {
    const members = this.#isEnclosed ? this.#findMembers() : undefined;
    if (members === undefined) return this.#signal("SIGTERM", "SIGCONT");
    const enclosed = members.filter(({ id }) => id !== this.#id);
    // One of them is the sandbox's own first process, which no TERM reaches: alone, it has nobody to wait for.
    if (enclosed.length < 2) return this.#signal("SIGKILL");
    for (const { id } of enclosed) for (const name of ["SIGTERM", "SIGCONT"] as const) signal(id, name);
  }

  /** The leader's group comes first: whoever leaves it before that is found in the table, whoever leaves it later has the signal. */
  #signal(...signals: NodeJS.Signals[]): void {
    if (this.#gone) return;
    for (const name of signals) signal(-this.#id, name);
    const others = new Set(this.#findMembers()?.map(({ group }) => group));
    others.delete(this.#id);
    for (const group of others) for (const name of signals) signal(-group, name);
  }

  /** Nothing where there is no process table to tell the living from zombies nobody has reaped. */
  #hasLivingMember(): boolean | undefined {
    if (this.#knownMember !== undefined && readProcess(this.#knownMember)?.session === this.#id) return true;
    const members = this.#findMembers();
    this.#knownMember = members?.[0]?.id;
    return members === undefined ? undefined : members.length > 0;
  }

  /** Without those of another user, who are out of our hands. */
  #findMembers(): readonly LivingProcess[] | undefined {
    const isYoung = performance.now() - this.#startedAt < youthMs;
    return findSession(this.#id, isYoung, leaders)?.filter(({ id }) => signal(id, 0));
  }

  #forget(): void {
    if (this.#gone) return;
    this.#gone = true;
    leaders.delete(this.#id);
    this.#onGone(this.#id);
  }
}

/** False when nobody is there, or nobody we may signal, or on macOS only zombies: all of them out of our hands. */
function signal(target: number, name: NodeJS.Signals | 0): boolean {
  // To the operating system 0 is our own group and -1 everybody.
  if (target === 0 || target === -1) return false;
  try {
    process.kill(target, name);
    return true;
  } catch {
    return false;
  }
}
