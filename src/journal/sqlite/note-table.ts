import type { Prepare } from "./driver.ts";

/** What the journal remembers about itself. */
export class NoteTable {
  readonly #sql: Prepare;

  constructor(sql: Prepare) {
    this.#sql = sql;
  }

  get housekeptAt(): number | undefined {
    const row = this.#sql("SELECT value FROM notes WHERE name = 'housekept_at'").get();
    return row && Number(row.value);
  }

  set housekeptAt(at: number) {
    this.#sql("INSERT OR REPLACE INTO notes (name, value) VALUES ('housekept_at', ?)").run(at);
  }
}
