import { expect, test } from "vitest";
import { suggestTool } from "./suggest-tool.ts";

const known = ["cancel_run", "execute_workflow", "get_run", "list_workflows", "resume_workflow"];

test.each([
  ["execute_workflw", "Did you mean 'execute_workflow'?"],
  ["run_workflow", "Use execute_workflow."],
  ["stop_run", "Use cancel_run."],
  ["wait_for_run", "Use get_run."],
  ["approve", "Use resume_workflow."],
  ["rerun_workflow", "No tool of this server runs a run again: execute_workflow with the same inputs makes a new one."],
  [
    "undo_run",
    'No tool of this server takes back what a run did. get_run with include ["changes"] tells which files it changed.',
  ],
  [
    "schedule_workflow",
    "There are no schedules: cron or CI can start a run when it is time, and a Wait block lets a run go on at a time.",
  ],
  ["save_run", expect.stringMatching(/^This server has no tool that saves a workflow/)],
  ["resum_workflow", "Did you mean 'resume_workflow'?"],
  ["nothing", `Known: ${known.join(", ")}.`],
])("what is said of the tool %s", (name, fix) => {
  expect(suggestTool(name, known)).toEqual(fix);
});

test("a verb has its tool where the server has it", () => {
  expect(suggestTool("retry_run", [...known, "rerun_workflow"])).toBe("Use rerun_workflow.");
  expect(suggestTool("rollback_run", [...known, "undo_run"])).toBe("Use undo_run.");
  expect(suggestTool("create_workflow", [...known, "save_workflow"])).toBe("Use save_workflow.");
});
