import type { Problem } from "../../diagnostic/problem.ts";
import { namesAttempt } from "../../engine/attempt-events.ts";
import type { Platform } from "../../runs/platform.ts";
import type { Log } from "../../util/log.ts";
import { describeLevel } from "./level.ts";
import { LevelChanges } from "./level-changes.ts";
import type { Level, LevelChange } from "./page-records.ts";
import type { KeptPicture, RunPictures, Seen } from "./run-pictures.ts";

/** A process that dies says nothing: somebody has to look. */
const lookMs = 1000;
/** Between two messages to one reader; the strip of a loop may be long. */
const pauseMs = 100;
const loopPauseMs = 300;

/** Somebody who looks at a level. Each call has the number of the last event that is in it. */
export interface LevelReader {
  level(level: Level, sequence: number): void;
  change(change: LevelChange, sequence: number): void;
  /** The run is no longer there, or can't be read; nothing else follows. */
  gone(problem: Problem): void;
}

/** Tells those who look at runs what changes in them, whichever process drives them; looks only while somebody does. */
export class LevelFeeds {
  readonly pictures: RunPictures;
  readonly #platform: Platform;
  readonly #log: Log;
  readonly #feeds = new Map<string, RunFeed>();

  /** The pictures may be others' too: a run is held once, however it is looked at. */
  constructor(platform: Platform, pictures: RunPictures, log: Log) {
    this.pictures = pictures;
    this.#platform = platform;
    this.#log = log;
  }

  /** How many runs are being watched. */
  get watched(): number {
    return this.#feeds.size;
  }

  /** `after`: the number of the last event that the reader has seen. Returns how to stop. */
  watch(runId: string, address: string, after: number | undefined, reader: LevelReader): () => void {
    const feed = this.#feeds.get(runId) ?? new RunFeed(this.pictures.of(runId), this.#platform, this.#log);
    this.#feeds.set(runId, feed);
    const leave = feed.add(address, after, reader);
    return () => {
      leave();
      if (!feed.isEmpty || this.#feeds.get(runId) !== feed) return;
      this.#feeds.delete(runId);
      feed.stop();
    };
  }
}

class RunFeed {
  readonly #kept: KeptPicture;
  readonly #platform: Platform;
  readonly #log: Log;
  readonly #viewers = new Set<Viewer>();
  readonly #timer: NodeJS.Timeout;
  #unsubscribe = (): void => {};
  #hasStopped = false;

  constructor(kept: KeptPicture, platform: Platform, log: Log) {
    this.#kept = kept;
    this.#platform = platform;
    this.#log = log;
    this.#timer = setInterval(() => this.#changed(), lookMs).unref();
    void this.#subscribe();
  }

  get isEmpty(): boolean {
    return this.#viewers.size === 0;
  }

  add(address: string, after: number | undefined, reader: LevelReader): () => void {
    const viewer = new Viewer(this.#kept, address, after, reader, this.#log);
    this.#viewers.add(viewer);
    viewer.wake();
    return () => {
      viewer.stop();
      this.#viewers.delete(viewer);
    };
  }

  stop(): void {
    this.#hasStopped = true;
    clearInterval(this.#timer);
    this.#unsubscribe();
  }

  async #subscribe(): Promise<void> {
    try {
      const journal = await this.#platform.journal();
      if (!this.#hasStopped) this.#unsubscribe = journal.subscribe(() => this.#changed());
    } catch {
      // The next look says what is wrong with it.
    }
  }

  #changed(): void {
    for (const viewer of this.#viewers) viewer.wake();
  }
}

class Viewer {
  readonly #kept: KeptPicture;
  readonly #address: string;
  readonly #reader: LevelReader;
  readonly #log: Log;
  readonly #changes = new LevelChanges();
  #after: number | undefined;
  #state: "resting" | "waiting" | "telling" | "stopped" = "resting";
  #hasBegun = false;
  /** Something may have changed while it was being told. */
  #isAwaited = false;
  #pause: NodeJS.Timeout | undefined;
  #seen: { readonly sequence: number; readonly epoch: number } | undefined;

  constructor(kept: KeptPicture, address: string, after: number | undefined, reader: LevelReader, log: Log) {
    this.#kept = kept;
    this.#address = address;
    this.#after = after;
    this.#reader = reader;
    this.#log = log;
  }

  /** Looks now, or as soon as it may. */
  wake(): void {
    if (this.#state === "stopped") return;
    if (this.#state === "waiting" || this.#state === "telling") {
      this.#isAwaited = true;
      return;
    }
    this.#isAwaited = false;
    this.#state = "telling";
    void this.#tell();
  }

  stop(): void {
    this.#state = "stopped";
    clearTimeout(this.#pause);
  }

  async #tell(): Promise<void> {
    let pause = pauseMs;
    try {
      const found = await this.#kept.find(this.#address);
      if (this.#hasStopped) return;
      // What was there and is not now is inside something that is tried again, and comes back.
      if (!found.ok && !(this.#hasBegun && found.error.code === "unknown-block")) {
        this.stop();
        return this.#reader.gone(found.error);
      }
      if (found.ok && found.value.place.holds === "loop") pause = loopPauseMs;
      if (found.ok) this.#tellSeen(found.value);
    } catch (error) {
      // A journal that can't be read for a moment: whoever reads is told later.
      this.#log("warn", `${this.#kept.runId} can't be looked at: ${String(error)}`);
    }
    if (this.#hasStopped) return;
    this.#state = "waiting";
    this.#pause = setTimeout(() => {
      this.#state = "resting";
      if (this.#isAwaited) this.wake();
    }, pause).unref();
  }

  get #hasStopped(): boolean {
    return this.#state === "stopped";
  }

  #tellSeen({ picture, place, now }: Seen): void {
    const { sequence } = now.state;
    const { epoch } = now;
    if (this.#seen?.sequence === sequence && this.#seen.epoch === epoch) return;
    this.#seen = { sequence, epoch };
    const level = describeLevel(picture, place, this.#address, now);
    if (this.#hasBegun) {
      const change = this.#changes.tell(level);
      if (change === undefined) return;
      // Other blocks are another graph: it comes as a whole.
      if (change.order !== undefined && place.holds !== "loop") return this.#reader.level(level, sequence);
      return this.#reader.change(change, sequence);
    }
    this.#hasBegun = true;
    const after = this.#after;
    const isKnown = after !== undefined && after > 0 && after <= sequence;
    // Which passes of a loop somebody has seen, and what came of attempts, nobody knows.
    if (isKnown && place.holds !== "loop" && !namesAttempt(this.#address)) {
      return this.#reader.change(this.#changes.tellSince(level, picture, after), sequence);
    }
    this.#changes.remember(level);
    this.#reader.level(level, sequence);
  }
}
