import type { CrashCase, KillReport } from "./crash-case.ts";
import { type Phase, phases } from "./phases.ts";
import type { Promised, Violation } from "./violation.ts";

export interface FailedCase {
  /** Makes the same case again, as far as timing allows. */
  readonly seed: number;
  readonly violations: readonly Violation[];
}

/** What a number of cases have shown. */
export class Tally {
  readonly kills: KillReport[] = [];
  readonly failed: FailedCase[] = [];
  cases = 0;

  add(seed: number, { kills, violations }: CrashCase): void {
    this.cases++;
    this.kills.push(...kills);
    if (violations.length > 0) this.failed.push({ seed, violations });
  }

  /** Phases with fewer kills than enough. A rig that never kills where it matters proves nothing. */
  missedPhases(among: readonly Phase[] = phases, enough = 1): readonly Phase[] {
    return among.filter((phase) => this.kills.filter((kill) => kill.phases.has(phase)).length < enough);
  }

  /** Every promise that was broken, whether once or often. */
  get broken(): ReadonlySet<Promised> {
    return new Set(this.failed.flatMap(({ violations }) => violations.map(({ promised }) => promised)));
  }

  /** Kills by where they fell; one may have fallen into several phases. */
  table(): string {
    const within = (phase: Phase): KillReport[] => this.kills.filter((kill) => kill.phases.has(phase));
    const nowhere = this.kills.filter((kill) => kill.phases.size === 0);
    return [
      line("kills", ["any moment", "at a write"]),
      ...phases.map((phase) => row(phase, within(phase))),
      row("before it held the run, or after", nowhere),
      row("all", this.kills),
    ].join("\n");
  }
}

function row(title: string, kills: readonly KillReport[]): string {
  const atWrites = kills.filter(({ fault }) => fault !== undefined).length;
  return line(title, [kills.length - atWrites, atWrites]);
}

function line(title: string, cells: readonly (string | number)[]): string {
  return title.padEnd(34) + cells.map((cell) => String(cell).padStart(12)).join("");
}
