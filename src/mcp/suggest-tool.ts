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
    otherwise: "No tool of this server runs a run again: execute_workflow with the same inputs makes a new one.",
  },
  { verbs: ["continue", "answer", "respond", "reply", "approve", "confirm", "recover"], tool: "resume_workflow" },
  { verbs: ["stop", "abort", "kill", "terminate", "end", "cancel"], tool: "cancel_run" },
  { verbs: ["status", "poll", "wait", "watch", "log", "logs", "read", "tail", "follow"], tool: "get_run" },
  { verbs: ["diff", "changes"], tool: "get_run", otherwise: "No tool of this server tells what a run changed." },
  { verbs: ["describe", "inspect", "info", "show"], tool: "get_workflow_info" },
  { verbs: ["lint", "check", "verify", "validate"], tool: "validate_workflow_yaml" },
  { verbs: ["search", "find"], tool: "list_workflows" },
  {
    verbs: ["save", "create", "write", "add", "register", "publish", "update", "edit", "store", "put"],
    tool: "save_workflow",
    otherwise:
      "This server has no tool that saves a workflow: a person puts its file into .frond/workflows of the workspace.",
  },
  {
    verbs: ["test"],
    tool: "test_workflow",
    otherwise: "This server has no tool that runs the tests of a workflow: a person has to.",
  },
  {
    verbs: ["plan"],
    tool: "execute_plan",
    otherwise: "This server runs no plans of steps: execute_inline_workflow runs a workflow.",
  },
  {
    verbs: ["undo", "rollback", "revert", "restore"],
    tool: "undo_run",
    otherwise:
      'No tool of this server takes back what a run did. get_run with include ["changes"] tells which files it changed.',
  },
  {
    verbs: ["pause", "suspend"],
    otherwise:
      "No tool pauses a run: cancel_run ends it, and a Prompt block in the workflow makes it wait for an answer.",
  },
  {
    verbs: ["trust", "allow", "grant"],
    otherwise:
      "No tool trusts a project: only a person can. execute_workflow of a workflow that is not trusted says how.",
  },
  {
    verbs: ["schedule", "cron"],
    otherwise:
      "There are no schedules: cron or CI can start a run when it is time, and a Wait block lets a run go on at a time.",
  },
  {
    verbs: ["delete", "remove"],
    otherwise:
      "No tool deletes workflows or runs; delete_checkpoint deletes a checkpoint, cancel_run ends a run that goes on.",
  },
];

/** What to call instead of a tool that there is not. Verbs are never guessed by their letters: rerun is not resume. */
export function suggestTool(name: string, known: readonly string[]): string {
  const verb = verbOf(name);
  const meant = meantTools.find(({ verbs }) => verbs.includes(verb));
  // Letters tell what else was meant than the verb, or that the verb itself has a slip.
  const nearest = nearestName(name, meant === undefined ? known : known.filter((tool) => verbOf(tool) === verb));
  if (nearest !== undefined) return `Did you mean '${nearest}'?`;
  if (meant?.tool !== undefined && known.includes(meant.tool)) return `Use ${meant.tool}.`;
  return meant?.otherwise ?? suggestName(name, known, "tool");
}

function verbOf(name: string): string {
  const [verb = ""] = name.toLowerCase().split(/[^a-z]+/);
  return verb;
}
