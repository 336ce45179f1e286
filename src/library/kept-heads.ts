import { createHash } from "node:crypto";
import type { WorkflowHead } from "../definition/load-workflow.ts";
import type { Source } from "../diagnostic/source.ts";
import { pathBelow } from "../util/path-below.ts";
import type { HeadStore, KeptHead } from "./workflow-files.ts";

/**
 * What lists show of the files of one directory: to check a file takes most of the time that a list takes, and nearly all of them are
 * as they were. Only sound files are kept, by their very texts.
 */
export class KeptHeads {
  readonly #store: HeadStore;
  readonly #directory: string;
  /** Those of the files as they are now. */
  readonly #current = new Map<string, KeptHead>();
  #known: ReadonlyMap<string, KeptHead> | undefined;
  #hasNew = false;

  constructor(store: HeadStore, directory: string) {
    this.#store = store;
    this.#directory = directory;
  }

  head(source: Source, check: () => WorkflowHead | undefined): WorkflowHead | undefined {
    if (mayBeScheduled(source)) return check();
    const key = keyOf(source);
    this.#known ??= this.#store.read(this.#directory);
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#current.set(key, known);
      return known;
    }
    const head = check();
    if (head === undefined) return undefined;
    const { description, tags } = head;
    this.#current.set(key, { description, tags });
    this.#hasNew = true;
    return head;
  }

  /** Once every head has been asked for. */
  save(): void {
    if (!this.#hasNew) return;
    this.#store.write(this.#directory, this.#current);
    this.#known = new Map(this.#current);
    this.#hasNew = false;
  }
}

/** A schedule starts runs, so it is only ever read from the file itself. */
function mayBeScheduled({ text }: Source): boolean {
  return text.includes("schedule");
}

/** Where a file lies decides which others it may call, and with that whether it is sound. */
function keyOf({ text, reach }: Source): string {
  const place = reach === undefined ? "" : (pathBelow(reach.root, reach.base) ?? reach.base);
  return createHash("sha256").update(`${place}\0${text}`).digest("base64url");
}
