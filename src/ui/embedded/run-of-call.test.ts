import { expect, test } from "vitest";
import { runOfInput, runOfResult } from "./run-of-call.ts";

test("the run of a call is found in its reply, as data or as text", () => {
  const run = { kind: "run", runId: "abc" };
  expect(runOfResult({ structuredContent: { run_id: "abc" } })).toEqual(run);
  expect(runOfResult({ content: [{ type: "text", text: '{"run_id":"abc"}' }] })).toEqual(run);
});

test("a reply without a run says what is wrong", () => {
  const errors = [{ message: "No workflow is named 'x'." }, { message: "Nor 'y'." }];
  expect(runOfResult({ structuredContent: { errors } })).toEqual({
    kind: "none",
    says: "No workflow is named 'x'.\nNor 'y'.",
  });
  for (const odd of [undefined, null, "x", {}, { content: [] }, { content: [{ type: "text", text: "{" }] }])
    expect(runOfResult(odd)).toEqual({ kind: "none", says: "" });
});

test("only a tool that goes on with the run it names shows that run before it replies", () => {
  const input = { arguments: { run_id: "abc" } };
  expect(runOfInput("get_run", input)).toEqual({ kind: "run", runId: "abc" });
  expect(runOfInput("resume_workflow", { arguments: { checkpoint_id: "q" } })).toEqual({ kind: "run", runId: "q" });
  expect(runOfInput("rerun_workflow", input)).toBeUndefined();
  expect(runOfInput("undo_run", input)).toBeUndefined();
  expect(runOfInput(undefined, input)).toBeUndefined();
  expect(runOfInput("get_run", {})).toBeUndefined();
});
