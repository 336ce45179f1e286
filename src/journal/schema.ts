import { JournalError } from "./journal.ts";

/** How the tables of a journal are made: by migrations, of which a database keeps the number of the last that it has been through. */
export interface Schema {
  /** The number of the first one. Databases with lower numbers are of versions that were never released. */
  readonly first: number;
  /** In the order of their numbers. One that has been released is never edited: a change is another one. */
  readonly migrations: readonly string[];
}

/** What a person can do instead of using a database, as parts of sentences. */
export interface WaysOut {
  /** E.g. "choose another state directory". */
  readonly elsewhere: string;
  /** E.g. "Move it away". */
  readonly without: string;
}

export function newestVersion({ first, migrations }: Schema): number {
  return first + migrations.length - 1;
}

/** What a database lacks, each with the number that it has then. An empty one has the number 0. */
export function missingMigrations(
  { first, migrations }: Schema,
  version: number,
): readonly { readonly version: number; readonly text: string }[] {
  return migrations.map((text, index) => ({ version: first + index, text })).filter((step) => step.version > version);
}

/** Throws when this program can neither use a database nor bring it up to date. */
export function requireKnown(schema: Schema, version: number, place: string, ways: WaysOut): void {
  if (version > newestVersion(schema)) throw newer(place, ways);
  if (version === 0 || version >= schema.first) return;
  const advice = `${ways.without}, or ${ways.elsewhere}.`;
  throw new JournalError("unusable", `${place} was written by a version of Frond that was never released. ${advice}`);
}

export function newer(place: string, { elsewhere }: WaysOut, cause?: unknown): JournalError {
  const message = `${place} was written by a newer version of Frond. Update Frond, or ${elsewhere}.`;
  return new JournalError("newer", message, cause);
}
