import { idempotencyKeyVariable } from "../block/run-variables.ts";
import type { ObservedChanges, ObserverRequest } from "../changes/observer.ts";
import { effectiveEffects } from "../plan/effective-effects.ts";
import { err, ok, type Result } from "../util/result.ts";
import { SharedLock } from "../util/shared-lock.ts";
import type { NotCaptured } from "./events.ts";
import { idempotencyKey } from "./ids.ts";
import { crashMessage } from "./run-leaf.ts";
import { addressWithin, type RunNode, type WorkflowInside } from "./run-node.ts";
import type { RunnerOptions } from "./runner-options.ts";
import { promisesUndo, undoWishOf } from "./undo-wish.ts";

/** What is put on record of looking at a workspace. Both resolve when that is durable. */
export interface ObservationReports {
  observationStarted(node: RunNode, snapshot: string, notCaptured: readonly NotCaptured[]): Promise<void>;
  changesObserved(node: RunNode, attempt: number, observed: ObservedChanges): Promise<void>;
}

/** Looks again when the attempt has ended. */
export type LookAfter = (hasSucceeded: boolean) => Promise<void>;

interface Parts {
  readonly runId: string;
  /** Whoever started the run wants all commands observed. */
  readonly observeAsked: boolean;
  readonly options: Pick<RunnerOptions, "platform">;
  readonly reports: ObservationReports;
}

/** Looks at the workspace before commands and after them, where somebody may want to take back what they do. */
export class Observations {
  readonly #parts: Parts;
  readonly #stop = new AbortController();
  readonly #looking = new Set<Promise<void>>();
  readonly #lookedAgain = new Set<RunNode>();
  /** Held alone by those who look. */
  readonly #workspace = new SharedLock();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * What was seen is durable before the command of an attempt starts. Gives what is to be done when it has ended; the error says why the
   * attempt can't be made. Without anybody who wants it, nothing is done and nothing is to be done.
   */
  async begin(node: RunNode, signal: AbortSignal): Promise<Result<LookAfter, string>> {
    const { definition } = node.block ?? {};
    const { observeAsked, options, reports } = this.#parts;
    if (definition === undefined || signal.aborted) return ok(nothingToDo);
    if (effectiveEffects(definition, undoWishOf(node, observeAsked)) !== "observe") return ok(nothingToDo);
    const { attempts: attempt } = node.record.metadata;
    try {
      const request = { ...this.#request(node), writes: definition.writes ?? [], signal };
      const begun = await this.#workspace.alone(async () => {
        const looked = await options.platform.observer.begin(request);
        // What others change from now on is on record after what was seen.
        if (looked.ok) await reports.observationStarted(node, looked.value.snapshot, looked.value.notCaptured);
        return looked;
      });
      if (!begun.ok && promisesUndo(node)) return err(`What it changes could not be taken back: ${begun.error}`);
      if (!begun.ok) return ok(() => this.#report(node, attempt, notObserved(begun.error)));
      const { snapshot } = begun.value;
      return ok(async (hasSucceeded) => {
        if (!hasSucceeded) await this.#endStrays(node);
        await this.#compare(node, attempt, snapshot);
      });
    } catch (error) {
      // What was cancelled meanwhile does not start, for which others care.
      return signal.aborted ? ok(nothingToDo) : err(crashMessage(error));
    }
  }

  /** Whether an engine has died while a command of the block ran, and nobody has looked since what that has changed. */
  isLeftOpen(node: RunNode): boolean {
    return node.observation !== undefined && !this.#lookedAgain.has(node);
  }

  /** Looks then; resolves when what was found is on record. */
  lookAgain(node: RunNode): Promise<void> {
    const { observation } = node;
    this.#lookedAgain.add(node);
    if (observation === undefined) return Promise.resolve();
    const looking = this.#endStrays(node)
      .then(() => this.#compare(node, node.record.metadata.attempts, observation))
      .finally(() => this.#looking.delete(looking));
    this.#looking.add(looking);
    return looking;
  }

  /** Makes changes of files while nobody looks: half of what a block does would be taken for what a command did. */
  whileUnseen<T>(change: () => Promise<T>): Promise<T> {
    return this.#workspace.together(change);
  }

  /** Leaves what was begun to whoever drives the run next; resolves when nobody looks any more. */
  async stopAll(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#looking);
  }

  /** What a command has left that may be taken back, even as a daemon, would go on writing when nobody looks any more. */
  async #endStrays(node: RunNode): Promise<void> {
    const { runId, options } = this.#parts;
    await options.platform.processes.endStrays(idempotencyKeyVariable, [idempotencyKey(runId, addressWithin(node))]);
  }

  /** Never rejects: when it can't be looked, or nobody can take it down, the next one that drives the run does it. */
  async #compare(node: RunNode, attempt: number, snapshot: string): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    try {
      await this.#workspace.alone(async () => {
        const { observer } = this.#parts.options.platform;
        const compared = await observer.compare(snapshot, { ...this.#request(node), signal });
        await this.#report(node, attempt, compared.ok ? compared.value : notObserved(compared.error));
      });
    } catch (error) {
      if (!signal.aborted) await this.#report(node, attempt, notObserved(crashMessage(error)));
    }
  }

  async #report(node: RunNode, attempt: number, observed: ObservedChanges): Promise<void> {
    const { changesObserved } = this.#parts.reports;
    await changesObserved(node, attempt, observed).catch(async (error: unknown) => {
      // There are too many of them for the record of a run.
      await changesObserved(node, attempt, notObserved(crashMessage(error))).catch(() => undefined);
    });
  }

  #request(node: RunNode): Omit<ObserverRequest, "signal"> {
    const { runId, options } = this.#parts;
    const { redactor } = options.platform.secrets;
    const { workspace } = node.workflow.inside as WorkflowInside;
    const holdsSecret = (bytes: Uint8Array): boolean => redactor.isIn(bytes);
    return { runId, workspace, ...(redactor.isIdle ? {} : { holdsSecret }) };
  }
}

async function nothingToDo(): Promise<void> {}

function notObserved(why: string): ObservedChanges {
  return { changes: [], notCaptured: [{ path: ".", why }] };
}
