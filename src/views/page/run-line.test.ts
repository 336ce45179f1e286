import { expect, test } from "vitest";
import type { RunSummary } from "../../journal/journal.ts";
import { describeLine } from "./run-line.ts";

const question = { id: "pause_1", question: { text: "Publish?" } };
const summary = {
  ...{ runId: "run_1", workflow: "w", workspace: "/", startedAt: "2026-01-31T14:00:00.000Z", questions: [] },
  ...{ status: "running", error: null, finishedAt: null, durationMs: null, spend: null, sequence: 1 },
} as unknown as RunSummary;

test("a run that asks while some of its blocks run counts as one that asks", () => {
  const asking = { ...summary, questions: [question] } as unknown as RunSummary;
  expect(describeLine({ summary: asking, status: "running" })).toMatchObject({ standing: "asks", says: "Publish?" });
  expect(describeLine({ summary: asking, status: "interrupted" }).standing).toBe("interrupted");
  expect(describeLine({ summary, status: "running" }).standing).toBe("running");
});

test("a run that goes on says what it has spent so far", () => {
  const { spend } = describeLine({ summary, status: "running" }, { ended: 1, total: 2, usd: 0.42 });
  expect(spend).toEqual({ text: "$0.42", usd: 0.42 });
});
