import type { BlobProblem } from "../block/ports.ts";

/** What waits for the disk waits together, but not with all files of a large tree in memory. */
const mostAtOnce = 32;
const mostBytesAtOnce = 64_000_000;

type Keep = (bytes: Uint8Array, lasting: boolean) => Promise<BlobProblem | undefined>;

/** Keeps the bytes of several files at the same time. */
export class KeepTogether {
  readonly #keep: Keep;
  #underway: Promise<void>[] = [];
  #bytes = 0;

  constructor(keep: Keep) {
    this.#keep = keep;
  }

  /** Resolves when it has begun; whether they are kept is told later, at the latest when everything has settled. */
  async add(bytes: Uint8Array, lasting: boolean, onEnd: (problem: BlobProblem | undefined) => void): Promise<void> {
    if (this.#underway.length >= mostAtOnce || this.#bytes + bytes.length > mostBytesAtOnce) await this.settle();
    this.#bytes += bytes.length;
    this.#underway.push(this.#keep(bytes, lasting).then(onEnd));
  }

  /** Rejects if anything was unexpected, when nothing is under way any more. */
  async settle(): Promise<void> {
    const underway = this.#underway;
    this.#underway = [];
    this.#bytes = 0;
    for (const ended of await Promise.allSettled(underway)) if (ended.status === "rejected") throw ended.reason;
  }
}
