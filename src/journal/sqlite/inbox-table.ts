import type { PostedRequest, RunRequest } from "../journal.ts";
import { parseStored } from "../stored-json.ts";
import type { PreparedRequest } from "../unique-keys.ts";
import type { Prepare } from "./driver.ts";

/** What has been asked of runs by those who do not hold them. An id is never used twice. */
export class InboxTable {
  readonly #sql: Prepare;

  constructor(sql: Prepare) {
    this.#sql = sql;
  }

  add(run: number, { key, body }: PreparedRequest): void {
    this.#sql("INSERT OR IGNORE INTO inbox (run, key, body) VALUES (?, ?, ?)").run(run, key, body);
  }

  isEmpty(run: number): boolean {
    return this.#sql("SELECT 1 FROM inbox WHERE run = ? LIMIT 1").get(run) === undefined;
  }

  read(run: number): PostedRequest[] {
    const rows = this.#sql("SELECT id, body FROM inbox WHERE run = ? ORDER BY id").all(run);
    return rows.map(({ id, body }) => ({ id: Number(id), request: parseStored(String(body)) as RunRequest }));
  }

  settle(id: number): void {
    this.#sql("DELETE FROM inbox WHERE id = ?").run(id);
  }

  remove(run: number): void {
    this.#sql("DELETE FROM inbox WHERE run = ?").run(run);
  }
}
