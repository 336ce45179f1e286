import type { Advice, TrustAdvice } from "../diagnostic/advice.ts";
import { type Diagnostic, type WordedDiagnostic, wordDiagnostic } from "../diagnostic/diagnostic.ts";
import { callText } from "./call-text.ts";
import { forPerson } from "./for-person.ts";

/** What to call next, for a model. Where no tool can help, what a person has to be told. */
export function wordAdvice(advice: Advice): string | undefined {
  switch (advice.kind) {
    case "list-runs":
      return `Call ${callText("list_runs", {})} for those there are.`;
    case "start-run":
      return `There are no runs yet: choose a workflow by ${callText("list_workflows", {})}, then execute_workflow.`;
    case "choose-run":
      return `Call ${callText("list_runs", {})} and give the whole run_id.`;
    case "run-again":
      return `Call ${callText("get_run", { run_id: advice.runId })} for its result, or ${callText("rerun_workflow", { run_id: advice.runId })} for a new run.`;
    case "give-text":
      return `Call ${callText("rerun_workflow", { run_id: advice.runId, workflow_yaml: "..." })} with the text to run.`;
    case "end-run":
      return `Call ${callText("get_run", { run_id: advice.runId })} to see how far it is, or end it with ${callText("cancel_run", { run_id: advice.runId })}.`;
    case "recover-runs":
      return `Call ${callText("list_runs", { status: "interrupted" })}, then resume_workflow with the run_id of each as checkpoint_id.`;
    case "give-up-run":
      return `Every other run works. ${advice.hasEnded ? "Tell" : `Call ${callText("cancel_run", { run_id: advice.runId })} to end this one, or tell`} a person: ${advice.remedy}.`;
    case "list-checkpoints":
      return `Call ${callText("list_checkpoints", {})} for those there are.`;
    case "choose-question":
      return `Give the checkpoint_id of one: ${advice.checkpointIds.join(", ")}.`;
    case "give-no-answer":
      return `To go on with it call ${callText("resume_workflow", { checkpoint_id: advice.runId })}, without a response.`;
    case "let-person-answer":
      return `Only a person may answer: ${forPerson.answer(advice.checkpointId, advice.workspace)}`;
    case "list-workflows":
      return `Call ${callText("list_workflows", {})} for those there are.`;
    case "check-workflow":
      return `Call ${callText("get_workflow_info", { workflow: advice.workflow })} for what is wrong with it.`;
    case "run-file":
      return `Call execute_inline_workflow with the text of '${advice.file}'.`;
    case "adopt-file":
      return `Call save_workflow with its text, then execute_workflow with its name; or execute_inline_workflow with the text. Where the server has neither, ${forPerson.adoptFile(advice.project)}`;
    case "trust-project":
      return wordTrust(advice);
    case "replace-file":
      return "Or give overwrite: true to replace it.";
    case "allow-commands":
      return forPerson.allowCommands(advice);
    case "allow-unsafe":
      return forPerson.allowUnsafe;
    case "see-inputs":
      return `Call ${callText("get_workflow_info", { workflow: advice.workflow })} for its inputs.`;
    // What it has to be is said already, and whoever calls knows where inputs go.
    case "give-input":
    case "write-input":
    case "give-inputs-file":
      return undefined;
    case "set-secret":
      return "Clients start this server, and some hand on only the variables that their configuration names: name it there, too.";
  }
}

function wordTrust(advice: TrustAdvice): string {
  const trusting = forPerson.trustProject(advice);
  if (advice.runId === undefined) return trusting;
  const text = callText("rerun_workflow", { run_id: advice.runId, workflow_yaml: "..." });
  return `${trusting} Or call ${text} with the text to run.`;
}

/** The same problem with advice that fits a model. */
export function explainForModel(diagnostic: Diagnostic): WordedDiagnostic {
  return wordDiagnostic(diagnostic, wordAdvice);
}
