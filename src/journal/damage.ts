import { JournalError } from "./journal.ts";

/** Stored content is not what the journal has written. */
export class DamagedContent extends Error {
  override readonly name = "DamagedContent";
}

export function isDamage(failure: unknown): boolean {
  // Nothing but stored JSON is parsed here.
  return failure instanceof DamagedContent || failure instanceof SyntaxError;
}

export function damagedEvent(runId: string, number: number, store: string, cause: unknown): JournalError {
  return new JournalError("damaged-run", `Event ${number} of ${runId} is damaged in ${store}.`, cause);
}
