import type { BlockPaused, RunEvent, RunStarted } from "../../src/engine/events.ts";
import { newRunId } from "../../src/engine/ids.ts";
import type { Journal } from "../../src/journal/journal.ts";
import type { Frond } from "../rig/frond.ts";
import { damageEvent, openJournal } from "../rig/stored-journal.ts";

/** Runs of one workflow that are finished, paused and interrupted, and a few among them that this version can't read. */
export interface MixedRuns {
  readonly finished: readonly string[];
  readonly paused: readonly string[];
  readonly interrupted: readonly string[];
  readonly unreadable: {
    /** Interrupted; a block of it has a type that does not exist. */
    readonly unknownType: string;
    /** Interrupted; a block of it has a key that does not exist. */
    readonly unknownKey: string;
    /** Interrupted; its second event is damaged. */
    readonly damagedEvent: string;
    /** Paused; its question is damaged. */
    readonly damagedQuestion: string;
  };
}

export const asking = `name: asking
description: Asks once
blocks:
  - { id: first, type: Shell, inputs: { command: "true" } }
  - { id: ask, type: Prompt, depends_on: [first], inputs: { prompt: Go on? } }
`;

/** Fifty runs in all, made from one real run that waits. */
export async function makeMixedRuns(frond: Frond): Promise<MixedRuns> {
  const { reply } = await frond.json(["run", "asking.yaml"]);
  const { run_id: original } = reply as { run_id: string };
  const journal = await openJournal(frond);
  const events = await journal.read(original);
  const make = (more: Partial<Copy> = {}): Promise<string> => copyRun(journal, original, events, more);
  const many = (count: number, more: Partial<Copy>): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => make(more)));
  const replace =
    (from: string, to: string) =>
    (text: string): string =>
      text.replace(from, to);
  const runs = {
    finished: await many(25, { end: "finished" }),
    paused: [original, ...(await many(10, {}))],
    interrupted: await many(10, { end: "interrupted" }),
    unreadable: {
      unknownType: await make({ end: "interrupted", edit: replace("type: Shell", "type: Vanished") }),
      unknownKey: await make({ end: "interrupted", edit: replace("id: first,", "id: first, vanished: true,") }),
      damagedEvent: await make({ end: "interrupted" }),
      damagedQuestion: await make(),
    },
  };
  await journal.close();
  await damageEvent(frond, 2, runs.unreadable.damagedEvent);
  const asked = events.findIndex(({ type }) => type === "block-paused") + 1;
  await damageEvent(frond, asked, runs.unreadable.damagedQuestion);
  return runs;
}

interface Copy {
  readonly end: "finished" | "paused" | "interrupted";
  /** Of the workflow's text. */
  edit(text: string): string;
}

async function copyRun(
  journal: Journal,
  original: string,
  events: readonly RunEvent[],
  { end = "paused", edit = (text) => text }: Partial<Copy>,
): Promise<string> {
  const runId = newRunId(new Date());
  const own = (text: string): string => text.replaceAll(original.slice("run_".length), runId.slice("run_".length));
  const [started, ...rest] = JSON.parse(own(JSON.stringify(events))) as [RunStarted, ...RunEvent[]];
  const definitions = { asking: { file: "asking.yaml", text: edit(asking) } };
  const all = [...rest.slice(0, end === "interrupted" ? beforeQuestion(rest) : undefined)];
  if (end === "finished") all.push(finished(started.at));
  const owner = { bootId: "gone", pidNamespace: "gone", pid: 1, startTime: "" };
  await journal.create({ events: [{ ...started, definitions }, ...all], owner });
  await journal.release(runId, 1);
  return runId;
}

function beforeQuestion(events: readonly RunEvent[]): number {
  return events.findIndex((event): event is BlockPaused => event.type === "block-paused") - 1;
}

function finished(at: string): RunEvent {
  const remarks = { handledFailures: [], outputErrors: {} };
  const ending = { status: "failed", outcome: "n/a", message: "cancelled" } as const;
  return { type: "run-finished", at, ...ending, outputs: {}, durationMs: 1, remarks };
}
