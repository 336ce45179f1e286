import { onTestFinished } from "vitest";
import type { Journal } from "../../src/journal/journal.ts";
import type { PostgresJournalOptions } from "../../src/journal/postgres/postgres-journal.ts";
import { createPostgresStorage } from "../../src/journal/postgres/postgres-storage.ts";
import { ok } from "../../src/util/result.ts";
import { loadPg } from "../rig/postgres.ts";

/** The journal in a database, closed with the test. */
export async function openPostgres(url: string, options: PostgresJournalOptions = {}): Promise<Journal> {
  const journal = await storageAt(url, options).open();
  onTestFinished(() => journal.close());
  return journal;
}

export function storageAt(url: string, options: PostgresJournalOptions = {}): ReturnType<typeof createPostgresStorage> {
  return createPostgresStorage(url, { loadPg: () => ok({ pg: loadPg(), version: "8.0" }), ...options });
}
