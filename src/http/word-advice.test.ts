import { expect, test } from "vitest";
import type { Advice } from "../diagnostic/advice.ts";
import { wordAdvice } from "./word-advice.ts";

const project = "/home/ada/shop";
const all: readonly Advice[] = [
  { kind: "list-runs", nearest: "run_1" },
  { kind: "start-run" },
  { kind: "choose-run", runIds: ["run_1", "run_2"], count: 3 },
  { kind: "run-again", runId: "run_1" },
  { kind: "give-text", runId: "run_1" },
  { kind: "end-run", runId: "run_1" },
  { kind: "recover-runs" },
  { kind: "give-up-run", runId: "run_1", remedy: "Update Frond", hasEnded: false },
  { kind: "list-checkpoints" },
  { kind: "choose-question", checkpointIds: ["pause_1"] },
  { kind: "give-no-answer", runId: "run_1" },
  { kind: "let-person-answer", checkpointId: "pause_1", workspace: project },
  { kind: "list-workflows" },
  { kind: "check-workflow", workflow: "release" },
  { kind: "run-file", file: "release.yaml" },
  { kind: "adopt-file", file: "release.yaml", project },
  { kind: "trust-project", file: "release.yaml", project, isKnown: true },
  { kind: "write-input", input: "names", sample: '["a"]' },
  { kind: "allow-commands", workflow: "release", workspace: project },
  { kind: "allow-unsafe" },
  { kind: "set-secret" },
];

test("on the page advice names a button, a place or a command, and never a tool call", () => {
  for (const advice of all) {
    const words = wordAdvice(advice);
    expect(words).toMatch(/^[A-Z].*\.$/);
    expect(words).not.toMatch(/_workflow|_run\b|checkpoint_id|--input/);
  }
  expect(wordAdvice({ kind: "run-again", runId: "run_1" })).toBe("Use Rerun for a new run of it.");
  expect(wordAdvice({ kind: "trust-project", file: "a.yaml", project: "/my shop", isKnown: true })).toBe(
    "Look at the changes with `frond trust --diff '/my shop'`, then type `frond trust '/my shop'`.",
  );
});

test("what the form says already is not said again", () => {
  expect(wordAdvice({ kind: "give-input", input: "name" })).toBeUndefined();
  expect(wordAdvice({ kind: "see-inputs", workflow: "release" })).toBeUndefined();
});
