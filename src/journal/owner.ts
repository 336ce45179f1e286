/**
 * A process that drives runs, named so that it can't be mistaken for a later one: after a reboot, in another container or when
 * its process id has been given to somebody else.
 */
export interface Owner {
  readonly bootId: string;
  /** Process ids mean something only within one; empty where the system has none. */
  readonly pidNamespace: string;
  readonly pid: number;
  /** As the system tells it: compared, never calculated with. */
  readonly startTime: string;
  /** The name of its machine, for people; older ones have none. */
  readonly host?: string;
}

/** Holding a run: who does, and when they last said so. */
export interface Lease {
  readonly owner: Owner;
  /** Milliseconds since 1970, by the clock of whoever wrote it. */
  readonly heartbeatAt: number;
  /** Whether the holder has lost it, where the journal itself can tell: its session is gone, or it has been silent for too long. */
  readonly isLost?: boolean;
}

/** Knows this process and can tell whether another one is gone. */
export interface Owners {
  readonly self: Owner;
  /** True only when it is certain that the owner does nothing any more. */
  isGone(lease: Lease): boolean;
}
