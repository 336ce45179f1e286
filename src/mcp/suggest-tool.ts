import { nearestName, suggestName } from "../diagnostic/did-you-mean.ts";

/** What a verb that no tool begins with is for: the tool that does it, or why there is none. */
interface MeantTool {
  readonly verbs: readonly string[];
  readonly tool?: string;
  /** Where this server has no such tool. */
  readonly otherwise?: string;
}

const meantTools: readonly MeantTool[] = [
  { verbs: ["run", "start", "launch", "invoke", "trigger", "execute"], tool: "execute_workflow" },
  {
    verbs: ["rerun", "retry", "restart", "redo", "repeat", "replay"],
    tool: "rerun_workflow",
    otherwise: "No tool runs a part of a run again: execute_workflow with the same inputs makes a new run.",
  },
  { verbs: ["continue", "answer", "respond", "reply", "approve", "confirm", "recover"], tool: "resume_workflow" },
  { verbs: ["stop", "abort", "kill", "terminate", "end"], tool: "cancel_run" },
  { verbs: ["status", "poll", "wait", "watch", "log", "logs"], tool: "get_run" },
  { verbs: ["describe", "inspect", "info", "show"], tool: "get_workflow_info" },
  { verbs: ["lint", "check", "verify", "validate"], tool: "validate_workflow_yaml" },
  { verbs: ["search", "find"], tool: "list_workflows" },
  {
    verbs: ["save", "create", "write", "add", "register", "publish", "update", "edit"],
    tool: "save_workflow",
    otherwise:
      "This server has no tool that saves a workflow: a person puts its file into .frond/workflows of the workspace.",
  },
  {
    verbs: ["test"],
    tool: "test_workflow",
    otherwise: "This server has no tool that runs the tests of a workflow: a person has to.",
  },
  { verbs: ["undo", "rollback", "revert"], tool: "undo_run", otherwise: "No tool takes back what a run did." },
  {
    verbs: ["schedule", "cron"],
    otherwise: "There are no schedules: cron or CI can start a run when it is time.",
  },
  {
    verbs: ["delete", "remove"],
    otherwise: "No tool deletes workflows or runs; delete_checkpoint deletes a checkpoint.",
  },
];

/** What to call instead of a tool that there is not. Verbs are never guessed by their letters: rerun is not resume. */
export function suggestTool(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `Did you mean '${nearest}'?`;
  const [verb = ""] = name.toLowerCase().split(/[^a-z]+/);
  const meant = meantTools.find(({ verbs }) => verbs.includes(verb));
  if (meant?.tool !== undefined && known.includes(meant.tool)) return `Use ${meant.tool}.`;
  return meant?.otherwise ?? suggestName(name, known, "tool");
}
