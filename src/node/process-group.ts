import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const firstPauseMs = 1;
const longestPauseMs = 50;
/** Reading the process table is dear, so only a group that has not gone quickly is looked up in it. */
const pauseBeforeTableMs = 16;
/** After KILL only a process stuck in the kernel remains; nobody should wait for that. */
const patienceAfterKillMs = 2000;

/**
 * The process group of one command. Its id may be given to somebody else once the group is empty, so a group that has been
 * seen empty is forgotten and never signalled again.
 */
export class ProcessGroup {
  readonly #id: number;
  readonly #onGone: (id: number) => void;
  #gone = false;
  #livingMember: string | undefined;
  #killAt: number = Number.POSITIVE_INFINITY;
  #ending: Promise<void> | undefined;

  constructor(id: number, onGone: (id: number) => void) {
    this.#id = id;
    this.#onGone = onGone;
  }

  isAlive(): boolean {
    return this.#signal(0);
  }

  /** TERM now, KILL when the grace is over. Asked again, it can only shorten the grace. */
  end(graceMs: number): Promise<void> {
    this.#killAt = Math.min(this.#killAt, performance.now() + graceMs);
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.#signal("SIGTERM");
    // A stopped process acts on TERM only when it continues.
    this.#signal("SIGCONT");
    let pause = firstPauseMs;
    while (this.isAlive()) {
      if (pause > pauseBeforeTableMs && !this.#hasLivingMember()) {
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

  #signal(signal: NodeJS.Signals | 0): boolean {
    if (this.#gone) return false;
    try {
      process.kill(-this.#id, signal);
      return true;
    } catch {
      // ESRCH: nobody is there. EPERM: nobody we may signal, or on macOS only zombies; both are out of our hands.
      this.#forget();
      return false;
    }
  }

  /** Tells the living from zombies nobody has reaped; without a process table everything counts as living. */
  #hasLivingMember(): boolean {
    if (this.#livingMember !== undefined && isLivingMember(this.#livingMember, this.#id)) return true;
    const processes = listProcesses();
    this.#livingMember = processes?.find((process) => isLivingMember(process, this.#id));
    return processes === undefined || this.#livingMember !== undefined;
  }

  #forget(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#onGone(this.#id);
  }
}

/** The process ids of the system, where there is a process table to read. */
function listProcesses(): string[] | undefined {
  try {
    const processes = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
    return processes.length === 0 ? undefined : processes;
  } catch {
    return undefined;
  }
}

function isLivingMember(process: string, group: number): boolean {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${process}/stat`, "utf8");
  } catch {
    return false;
  }
  // pid (name) state parent group ...; the name may hold anything, even brackets, so the fields start after its last one.
  const [state, , memberOf] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(memberOf) === group && state !== "Z" && state !== "X";
}
