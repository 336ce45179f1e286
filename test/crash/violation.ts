/** What must hold however often and wherever the engine is killed. */
export type Promised =
  /** The database is sound after every kill. */
  | "sound database"
  /** Events are numbered without a gap and never change, and the summary agrees with them. */
  | "one truth"
  /** What a process was told to be durable is in the journal, with the same number and content. */
  | "acknowledged is durable"
  /** An answer or a cancellation that was accepted is never lost. */
  | "requests are kept"
  /** A block goes through its stages in order, under ever new attempts, and nothing follows its end. */
  | "course of a block"
  /** No effect without a durable intent, and none twice for one intent. */
  | "intent before effect"
  /** A block that has ended by itself has had its effect. */
  | "effect before result"
  | "at most once"
  /** Any process can go on with a run whose owner is gone. */
  | "resumable"
  /** Nobody takes a run from a process that lives. */
  | "one owner"
  /** `finally` begins once everything else has ended, once, and is never lost. */
  | "finally comes last"
  /** A disturbed run ends as an undisturbed one. */
  | "same end"
  /** A process that is not killed ends by itself, without an error. */
  | "orderly process";

export interface Violation {
  readonly promised: Promised;
  readonly detail: string;
}

export type Report = (promised: Promised, detail: string) => void;
