import type { Database, Prepare } from "./driver.ts";

/** So many at a time that others do not have to wait long. */
const pagesAtOnce = 500;

/** Bytes that hold something. */
export function usedBytes(sql: Prepare): number {
  return (pragma(sql, "page_count") - freePages(sql)) * pragma(sql, "page_size");
}

export function freePages(sql: Prepare): number {
  return pragma(sql, "freelist_count");
}

/** Moves some of what is in use to the front, so that the file can be cut, and tells how many pages are still free. */
export function vacuumSome(database: Database, sql: Prepare): number {
  database.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
  return freePages(sql);
}

function pragma(sql: Prepare, name: "page_count" | "freelist_count" | "page_size"): number {
  return Number(sql(`PRAGMA ${name}`).get()?.[name]);
}
