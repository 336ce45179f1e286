import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import { operationFailed } from "../../src/engine/execution.ts";
import type { QuestionSummary, RunSummary } from "../../src/journal/journal.ts";
import { resultOf } from "../../src/journal/run-texts.ts";
import { anyEvent } from "./arbitrary-events.ts";
import type { JournalKind } from "./contract.ts";
import { at, blockFinished, blockPaused, creation, owner, runFinished, runStarted } from "./sample-events.ts";
import { seen } from "./seen-run.ts";

type Followed = Pick<
  RunSummary,
  | "status"
  | "cancelled"
  | "error"
  | "result"
  | "updatedAt"
  | "finishedAt"
  | "durationMs"
  | "wakeAt"
  | "spend"
  | "host"
  | "sequence"
  | "questions"
>;

const beginning: Followed = {
  status: "running",
  cancelled: false,
  error: null,
  result: null,
  updatedAt: at(0),
  finishedAt: null,
  durationMs: null,
  wakeAt: null,
  spend: null,
  host: null,
  sequence: 1,
  questions: [],
};

/** What the summary of a run says after one more event: told again here, one event at a time, to compare with. */
function follow(before: Followed, event: RunEvent): Followed {
  const after = { ...before, updatedAt: event.at, sequence: before.sequence + 1 };
  const others = "path" in event ? before.questions.filter(({ path }) => path !== event.path) : before.questions;
  switch (event.type) {
    case "run-paused":
      return { ...after, status: "paused", wakeAt: event.wakeAt ?? null, spend: event.spend ?? null };
    case "run-sleeping":
      return { ...after, status: "sleeping", wakeAt: event.wakeAt, spend: event.spend ?? null };
    case "run-resumed":
      return { ...after, status: "running", wakeAt: null };
    case "workspace-made":
      return { ...after, host: event.host };
    case "run-cancelling":
      return { ...after, cancelled: before.cancelled || event.cause === "cancelled" };
    case "run-finished": {
      const { at: finishedAt, durationMs, outcome, message } = event;
      const [status, error] = outcome === "success" ? (["success", null] as const) : (["failure", message] as const);
      const cancelled = before.cancelled && status === "failure";
      const spend = event.spend ?? null;
      const result = outcome === "success" ? resultOf(event) : null;
      return { ...after, status, error, result, cancelled, finishedAt, durationMs, wakeAt: null, spend, questions: [] };
    }
    case "block-paused": {
      const { questionId: id, path, at: askedAt, question } = event;
      return { ...after, questions: [...others, { id, path, askedAt, question } satisfies QuestionSummary] };
    }
    case "question-answered":
    case "block-finished":
    case "block-skipped":
      return { ...after, questions: others };
    default:
      return after;
  }
}

export function describeSummaries({ createStore }: JournalKind): void {
  test("a summary says where a run comes from", async () => {
    const journal = await createStore(() => 5).open();
    await journal.create(creation("r", { startedBy: "mcp \ud83d", rerunOf: "q", undoOf: { runId: "p" } }));
    expect(await seen(journal, "r")).toEqual({
      ...beginning,
      runId: "r",
      label: null,
      workflow: "deploy",
      workspace: "/work",
      startedAt: at(0),
      startedBy: "mcp \ud83d",
      rerunOf: "q",
      undoOf: "p",
      queue: null,
      fence: 1,
      lease: { owner, heartbeatAt: 5 },
      hidden: [],
    });
    expect(await journal.find("nobody")).toBeUndefined();
    await journal.create(creation("s"));
    expect((await journal.list({ undoOf: "p" })).map(({ runId }) => runId)).toEqual(["r"]);
  });

  test("a run without an owner waits for somebody to claim it, and says who may", async () => {
    const journal = await createStore(() => 5).open();
    const queue = { labels: ["gpu", "linux"], concurrency: 2 };
    expect(await journal.create({ events: [runStarted("r", { queue })] })).toEqual({ kind: "created", fence: 1 });
    const waiting = await journal.find("r");
    expect([waiting?.queue, waiting?.host, waiting?.lease]).toEqual([queue, null, undefined]);
    expect(await journal.post("r", 1, { kind: "cancel", message: "no" })).toBe(false);
    expect(await journal.claim("r", 1, owner)).toBe(2);
    const made = { type: "workspace-made", at: at(1), workspace: "/made", host: "box", commit: "c0ffee" } as const;
    expect(await journal.append("r", 2, [made])).toBe(true);
    const taken = await seen(journal, "r");
    expect([taken.workspace, taken.host, taken.lease]).toEqual(["/work", "box", { owner, heartbeatAt: 5 }]);
  });

  test("a question waits from the event that asks it to the one that deals with it", async () => {
    const journal = await createStore().open();
    await journal.create(creation("r"));
    await journal.append("r", 1, [
      blockPaused("a"),
      blockPaused("b/1"),
      blockPaused("c"),
      { type: "run-paused", at: at(3) },
    ]);
    const paths = async () => (await journal.find("r"))?.questions.map(({ path }) => path);
    expect(await paths()).toEqual(["a", "b/1", "c"]);
    expect((await journal.find("r"))?.status).toBe("paused");
    await journal.append("r", 1, [
      { type: "question-answered", at: at(4), path: "b/1", questionId: "pause_b/1", answer: "yes", by: "terminal" },
    ]);
    expect(await paths()).toEqual(["a", "c"]);
    await journal.append("r", 1, [blockFinished("a"), blockFinished("unrelated")]);
    expect(await paths()).toEqual(["c"]);
    await journal.append("r", 1, [runFinished({}, operationFailed("cancelled"))]);
    expect(await journal.find("r")).toMatchObject({ status: "failure", error: "cancelled", questions: [] });
  });

  test("a summary follows from the events, whatever they are and however they are handed over", async () => {
    const journal = await createStore().open();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(anyEvent, { maxLength: 6 }), { maxLength: 5 }), async (portions) => {
        const runId = `r${runs++}`;
        const [first = [], ...more] = portions;
        const calls = [journal.create({ events: [runStarted(runId), ...first], owner })];
        const appends = more.map((events) => journal.append(runId, 1, events));
        await Promise.all([...calls, ...appends]);
        const expected = portions.flat().reduce(follow, beginning);
        expect(await journal.find(runId)).toMatchObject(expected);
        expect((await journal.list({ limit: 1 }))[0]).toEqual(await journal.find(runId));
        expect((await journal.read(runId, 1)).reduce(follow, beginning)).toEqual(expected);
      }),
      { seed: 7, numRuns: 150 },
    );
  });

  test("a checkpoint is hidden once and for all", async () => {
    const journal = await createStore().open();
    await journal.create(creation("r"));
    await Promise.all([journal.hide("r", "chk_2"), journal.hide("r", "chk_1"), journal.hide("r", "chk_2")]);
    await journal.hide("nobody", "chk_1");
    await journal.append("r", 1, [blockFinished("a")]);
    expect((await journal.find("r"))?.hidden).toEqual(["chk_2", "chk_1"]);
  });
}
