/**
 * A process that works on a journal: opens it, takes steps one after the other and prints what came of each as a line of JSON.
 * It can do so as another user, and die at a point of its choice.
 */
import { once } from "node:events";
import { type Journal, JournalError } from "../../src/journal/journal.ts";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import type { WritePoint } from "../../src/journal/sqlite/write-queue.ts";
import { blockFinished, creation, otherOwner, someEvents } from "./sample-events.ts";

export interface Job {
  readonly directory: string;
  /** Whether to wait before opening. */
  readonly waits?: boolean;
  /** Whom to become first. */
  readonly uid?: number;
  /** Dies by SIGKILL at this point of a transaction that holds this. */
  readonly dieAt?: { readonly point: WritePoint; readonly what: string };
  readonly steps: readonly Step[];
}

export type Step =
  | { readonly do: "create"; readonly runId: string }
  | {
      readonly do: "append";
      readonly runId: string;
      readonly fence: number;
      readonly label: string;
      readonly bytes?: number;
    }
  /** Takes the run from whoever has it, adds an event and gives it back, until it has done so this often. */
  | { readonly do: "take turns"; readonly runId: string; readonly label: string; readonly times: number }
  | { readonly do: "list" }
  | { readonly do: "count"; readonly runId: string }
  | { readonly do: "housekeep" }
  | { readonly do: "close" }
  /** Until somebody wakes it. */
  | { readonly do: "wait" };

export type Outcome = { readonly result: unknown } | { readonly code: string; readonly message: string };

const job = JSON.parse(process.argv[2] ?? "") as Job;
if (job.uid !== undefined) {
  process.setgid?.(job.uid);
  process.setuid?.(job.uid);
}
let journal: Journal | undefined;
if (job.waits === true) await wait();
if (await report(open)) {
  for (const step of job.steps) {
    if (step.do === "wait") await wait();
    else await report(() => take(step));
  }
}
process.stdin.destroy();

/** What came of it is that it waits. */
function wait(): Promise<unknown> {
  tell({ result: "waiting" });
  return once(process.stdin, "data");
}

async function report(action: () => Promise<unknown>): Promise<boolean> {
  try {
    tell({ result: (await action()) ?? null });
    return true;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    tell({ code: error.code, message: error.message });
    return false;
  }
}

function tell(outcome: Outcome): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}

async function open(): Promise<string> {
  const { directory, dieAt } = job;
  journal = await openSqliteJournal(directory, {
    onWrite(point, what) {
      if (point === dieAt?.point && what.includes(dieAt.what)) process.kill(process.pid, "SIGKILL");
    },
  });
  return "open";
}

async function take(step: Exclude<Step, { readonly do: "wait" }>): Promise<unknown> {
  if (journal === undefined) throw new Error("The journal is not open.");
  switch (step.do) {
    case "create":
      return (await journal.create(creation(step.runId))).kind;
    case "append": {
      const outputs = { text: `${step.label} `.repeat((step.bytes ?? 0) / (step.label.length + 1)) };
      return journal.append(step.runId, step.fence, [blockFinished(step.label, { outputs })]);
    }
    case "take turns":
      return takeTurns(journal, step.runId, step.label, step.times);
    case "list":
      return (await journal.list({})).map(({ runId }) => runId);
    case "count":
      return (await journal.read(step.runId)).length;
    case "housekeep":
      return journal.housekeep();
    case "close":
      return journal.close();
  }
}

async function takeTurns(shared: Journal, runId: string, label: string, times: number): Promise<number> {
  let turns = 0;
  let losses = 0;
  while (turns < times) {
    const summary = await shared.find(runId);
    const fence = summary && (await shared.claim(runId, summary.fence, otherOwner));
    const [event] = someEvents(1, `${label}-${turns}`);
    if (fence === undefined || event === undefined || !(await shared.append(runId, fence, [event]))) losses++;
    else turns++;
    if (fence !== undefined) await shared.release(runId, fence);
  }
  return losses;
}
