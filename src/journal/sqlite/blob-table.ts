import { DamagedContent } from "../damage.ts";
import type { Blob, StoredText } from "../event-encoding.ts";
import type { Prepare } from "./driver.ts";

/** Content by its hash, each once, and which runs use it. What no run uses any more is removed with the last one. */
export class BlobTable {
  readonly #sql: Prepare;

  constructor(sql: Prepare) {
    this.#sql = sql;
  }

  use(run: number, { hash, body, parts }: Blob): void {
    // Looked up first: handing over the content costs more than finding out that it is there.
    if (this.#sql("SELECT 1 FROM blobs WHERE hash = ?").get(hash) === undefined) {
      this.#sql("INSERT INTO blobs (hash, body, parts) VALUES (?, ?, ?)").run(hash, body, parts);
    }
    this.#sql("INSERT OR IGNORE INTO blob_uses (run, hash) VALUES (?, ?)").run(run, hash);
  }

  find(hash: string): StoredText {
    const row = this.#sql("SELECT body, parts FROM blobs WHERE hash = ?").get(hash);
    if (row === undefined) throw new DamagedContent(`The content ${hash} is missing.`);
    return row as unknown as StoredText;
  }

  release(run: number): void {
    this.#sql(
      `DELETE FROM blobs WHERE hash IN (
         SELECT hash FROM blob_uses AS own WHERE run = ?
         AND NOT EXISTS (SELECT 1 FROM blob_uses AS other WHERE other.hash = own.hash AND other.run <> own.run)
       )`,
    ).run(run);
    this.#sql("DELETE FROM blob_uses WHERE run = ?").run(run);
  }
}
