import type { Catalog } from "../../block/catalog.ts";
import { type Problem, problem } from "../../diagnostic/problem.ts";
import { parseAddress } from "../../engine/address.ts";
import { eventsOfAttempt, namesAttempt } from "../../engine/attempt-events.ts";
import { restoreState } from "../../engine/restore-state.ts";
import type { RunState } from "../../engine/state.ts";
import type { Journal, RunSummary } from "../../journal/journal.ts";
import { describeWait } from "../../runs/choose-queue.ts";
import { findUndoOf } from "../../runs/is-undone.ts";
import type { Platform } from "../../runs/platform.ts";
import { findRun, restoreRun, statusOf, unreadableRun } from "../../runs/read-run.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { isSliceOver, nextSlice } from "../../util/time-slice.ts";
import { findAddress } from "../find-address.ts";
import { isLeft } from "../shown-run.ts";
import { findPlace, type Place } from "./find-place.ts";
import { RunPicture } from "./run-picture.ts";

/** What an address leads to, in the run as it was when the attempt ended which the address names. */
export interface Seen {
  readonly picture: RunPicture;
  readonly place: Place;
  /** The run as it is now. */
  readonly now: RunPicture;
}

/** Of one run, for all who look at it. */
export class KeptPicture {
  readonly runId: string;
  readonly #platform: Platform;
  readonly #catalog: Catalog;
  /** Attempts that are over, by their addresses: nothing changes in them any more. */
  readonly #attempts = new Map<string, RunPicture>();
  #picture: RunPicture | undefined;
  #looking: Promise<unknown> = Promise.resolve();
  #nextLook: Promise<Result<RunPicture, Problem>> | undefined;

  constructor(platform: Platform, catalog: Catalog, runId: string) {
    this.#platform = platform;
    this.#catalog = catalog;
    this.runId = runId;
  }

  /** With all that has happened until now; however many ask meanwhile, it is looked at once for all of them. */
  look(): Promise<Result<RunPicture, Problem>> {
    this.#nextLook ??= this.#looking.then(() => {
      const looking = this.#lookNow();
      this.#nextLook = undefined;
      // Whoever asked is told what is wrong; the next one looks again.
      this.#looking = looking.catch(() => {});
      return looking;
    });
    return this.#nextLook;
  }

  async find(address: string): Promise<Result<Seen, Problem>> {
    const now = await this.look();
    if (!now.ok) return now;
    const picture = await this.#pictureFor(now.value, address);
    if (!picture.ok) return picture;
    const place = findPlace(picture.value.state, address);
    return place.ok ? ok({ picture: picture.value, place: place.value, now: now.value }) : place;
  }

  async #lookNow(): Promise<Result<RunPicture, Problem>> {
    const found = await findRun(this.#platform, this.runId);
    if (!found.ok) return this.#fail(found.error);
    const journal = await this.#platform.journal();
    const read =
      this.#picture === undefined ? await this.#read(found.value) : await this.#catchUp(journal, found.value);
    if (!read.ok) return this.#fail(read.error);
    const { state } = read.value;
    const status = isGoing(state) ? statusOf(found.value, this.#platform) : undefined;
    const { queue, host } = found.value;
    read.value.surround({
      isInterrupted: isLeft(status),
      waitsFor: status === "queued" ? describeWait(queue, host) : undefined,
      undoneBy: state.finished === undefined ? undefined : await findUndoOf(journal, this.runId, rollbackOf(state)),
      label: found.value.label ?? undefined,
    });
    return read;
  }

  #fail(problem: Problem): Result<RunPicture, Problem> {
    this.#picture = undefined;
    this.#attempts.clear();
    return err(problem);
  }

  async #read(summary: RunSummary): Promise<Result<RunPicture, Problem>> {
    let picture: RunPicture | undefined;
    const restored = await restoreRun(this.#platform, this.#catalog, summary, (event, state) => {
      picture ??= new RunPicture(state);
      picture.hear(event);
    });
    if (!restored.ok) return restored;
    this.#picture = picture ?? new RunPicture(restored.value.state);
    return ok(this.#picture);
  }

  async #catchUp(journal: Journal, summary: RunSummary): Promise<Result<RunPicture, Problem>> {
    const picture = this.#picture as RunPicture;
    const { sequence } = picture.state;
    if (summary.sequence <= sequence) return ok(picture);
    try {
      for (const event of await journal.read(this.runId, sequence)) {
        picture.apply(event);
        if (isSliceOver()) await nextSlice();
      }
      return ok(picture);
    } catch (error) {
      return err(unreadableRun(summary, { kind: "damaged", reason: String(error) }));
    }
  }

  async #pictureFor(now: RunPicture, address: string): Promise<Result<RunPicture, Problem>> {
    if (!namesAttempt(address) || isCurrent(now.state, address)) return ok(now);
    const kept = this.#attempts.get(address);
    if (kept !== undefined) return ok(kept);
    const events = await (await this.#platform.journal()).read(this.runId);
    const then = eventsOfAttempt(events, address);
    if (then === undefined) return err(await this.#unknownAttempt(now, address));
    let picture: RunPicture | undefined;
    const restored = await restoreState(then, this.#catalog, (event, state) => {
      picture ??= new RunPicture(state);
      picture.hear(event);
    });
    if (!restored.ok || picture === undefined) return err(problem("unknown-attempt", `'${address}' can't be read.`));
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size >= mostAttempts && oldest !== undefined) this.#attempts.delete(oldest);
    this.#attempts.set(address, picture);
    return ok(picture);
  }

  async #unknownAttempt({ state }: RunPicture, address: string): Promise<Problem> {
    const summary = await findRun(this.#platform, this.runId);
    if (!summary.ok) return summary.error;
    const run = { summary: summary.value, status: "running", state } as const;
    const found = await findAddress(this.#platform, this.#catalog, run, address);
    return found.ok ? problem("unknown-attempt", `There is no '${address}'.`) : found.error;
  }
}

const mostAttempts = 4;

function isGoing({ finished, paused }: RunState): boolean {
  return finished === undefined && !paused;
}

function rollbackOf({ root }: RunState): string | undefined {
  const { rollback } = root.record.metadata;
  const { undo_run: run } = (rollback ?? {}) as { readonly undo_run?: string };
  return run;
}

/** Whether every attempt that an address names is the latest, and not over with another one to come. */
function isCurrent({ nodes }: RunState, address: string): boolean {
  let path = "";
  for (const { key, attempt } of parseAddress(address)) {
    path = path === "" ? key : `${path}/${key}`;
    if (attempt === undefined) continue;
    const node = nodes.get(path);
    if (node?.record.metadata.attempts !== attempt || isBetweenAttempts(node.stage)) return false;
  }
  return true;
}

function isBetweenAttempts(stage: { readonly kind: string; readonly about?: string }): boolean {
  return (stage.kind === "sleeping" || stage.kind === "woken") && stage.about === "retry";
}

/** So many runs that nobody watches are kept for whoever asks again. */
const mostKept = 8;

/** The runs that somebody looks at, each folded once for all of them. */
export class RunPictures {
  readonly #platform: Platform;
  readonly #catalog: Catalog;
  /** The one that was used last is the last. */
  readonly #kept = new Map<string, KeptPicture>();

  constructor(platform: Platform, catalog: Catalog) {
    this.#platform = platform;
    this.#catalog = catalog;
  }

  of(runId: string): KeptPicture {
    const kept = this.#kept.get(runId) ?? new KeptPicture(this.#platform, this.#catalog, runId);
    this.#kept.delete(runId);
    this.#kept.set(runId, kept);
    const [oldest] = this.#kept.keys();
    // Whoever watches it has it all the same.
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }
}
