import { expect, test } from "vitest";
import type { RunSummary } from "../journal/journal.ts";
import { chooseQuestion } from "./choose-question.ts";

function runThatAsks(ids: readonly string[], finishedAt: string | null = null): RunSummary {
  return { runId: "run_1", questions: ids.map((id) => ({ id })), finishedAt } as unknown as RunSummary;
}

test("a question that is named is the one that is answered, whatever else is asked", () => {
  expect(chooseQuestion(runThatAsks(["pause_1_a", "pause_1_b"]), "pause_1_b")).toEqual({
    ok: true,
    value: "pause_1_b",
  });
});

test("a run that asks one thing needs no name for it", () => {
  expect(chooseQuestion(runThatAsks(["pause_1_a"]), "run_1")).toEqual({ ok: true, value: "pause_1_a" });
  expect(chooseQuestion(runThatAsks(["pause_1_a"]), "chk_1_0")).toEqual({ ok: true, value: "pause_1_a" });
});

test.each([
  ["asks two things", runThatAsks(["pause_1_a", "pause_1_b"]), "which-question", "choose-question"],
  ["asks nothing", runThatAsks([]), "no-question", "give-no-answer"],
  ["has ended", runThatAsks([], "2030-01-01T00:00:00Z"), "run-ended", "run-again"],
])("an answer to a run that %s is refused", (_how, run, code, kind) => {
  expect(chooseQuestion(run, "run_1")).toMatchObject({ ok: false, error: { code, advice: { kind } } });
});
