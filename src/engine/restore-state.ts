import type { Catalog } from "../block/catalog.ts";
import { languageVersion } from "../definition/language-version.ts";
import { err, ok, type Result } from "../util/result.ts";
import { inSlices } from "../util/time-slice.ts";
import type { BlockStarted, RunEvent, RunStarted } from "./events.ts";
import { createPlanSource, loadFrozen } from "./plan-source.ts";
import { applyEvent, createState, type RunState } from "./state.ts";

/** Why this program can't read a run. */
export interface UnreadableEvents {
  /** A newer program wrote it; or it uses what is no longer there; or its events are not what was written. */
  readonly kind: "newer" | "outdated" | "damaged";
  /** A whole sentence. */
  readonly reason: string;
}

/** The state of a run from its events alone. */
export function restoreState(
  events: readonly RunEvent[],
  catalog: Catalog,
  listen?: FoldListener,
): Promise<Result<RunState, UnreadableEvents>> {
  return inSlices(foldEvents(events, catalog, listen));
}

/** Sees the state right after each event but the first. */
export type FoldListener = (event: RunEvent, state: RunState) => void;

/** The same as work that can be interrupted after every event. */
export function* foldEvents(
  events: readonly RunEvent[],
  catalog: Catalog,
  listen: FoldListener = () => {},
): Generator<void, Result<RunState, UnreadableEvents>> {
  const [started] = events;
  if (started?.type !== "run-started") return err(damaged("Its events do not begin with its start."));
  const begun = yield* begin(started, catalog);
  if (!begun.ok) return begun;
  const state = begun.value;
  for (let index = 1; index < events.length; index++) {
    yield;
    const event = events[index] as RunEvent;
    try {
      applyEvent(state, event);
      listen(event, state);
    } catch (error) {
      return err(explain(error, event, index + 1, state));
    }
  }
  return begun;
}

function* begin(started: RunStarted, catalog: Catalog): Generator<void, Result<RunState, UnreadableEvents>> {
  if (started.languageVersion > languageVersion) {
    const versions = `version ${started.languageVersion} of the workflow language, and this Frond knows ${languageVersion}`;
    return err({ kind: "newer", reason: `It is written in ${versions}.` });
  }
  try {
    const definitions = yield* loadFrozen(started.definitions, catalog);
    for (const [name, loaded] of definitions) {
      // Also of one that was not called yet: the order of its callers' blocks follows from it.
      if (!loaded.ok) return err(outdated(`The workflow '${name}' can't be run: ${loaded.error}`));
    }
    return ok(createState(started, createPlanSource(started.definitions, catalog, { definitions })));
  } catch (error) {
    return err(damaged(`Its start can't be read: ${messageOf(error)}`));
  }
}

/** Stored events may hold anything, so whatever the fold can't make sense of is what is wrong with them. */
function explain(error: unknown, event: RunEvent, number: number, state: RunState): UnreadableEvents {
  const started = (event as RunEvent | null)?.type === "block-started" ? (event as BlockStarted) : undefined;
  const inside = started?.inside?.kind === "workflow" ? started.inside : undefined;
  const plan = inside?.definition === undefined ? undefined : state.plans(inside.workflow, inside.definition);
  if (plan?.ok === false) return outdated(plan.error);
  return damaged(`Its event ${number} does not fit those before it: ${messageOf(error)}`);
}

function outdated(reason: string): UnreadableEvents {
  return { kind: "outdated", reason };
}

function damaged(reason: string): UnreadableEvents {
  return { kind: "damaged", reason };
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.endsWith(".") ? message : `${message}.`;
}
