import type { Advice, AllowCommandsAdvice, TrustAdvice } from "../diagnostic/advice.ts";
import { quoteWord } from "../util/quote-word.ts";

/** What to do next, for a person who has the page open: the button to use, or the command to type where the page has none. */
export function wordAdvice(advice: Advice): string | undefined {
  switch (advice.kind) {
    case "list-runs":
      return `${advice.nearest === undefined ? "" : `Did you mean '${advice.nearest}'? `}It may have been removed: runs are kept for 30 days after they end. See Runs for those there are.`;
    case "start-run":
      return "There are no runs yet: start one under Workflows.";
    case "choose-run":
      return `Give the whole id, such as ${advice.runIds.join(", ")}.`;
    case "run-again":
      return "Use Rerun for a new run of it.";
    case "give-text":
      return `To run its text as it was, type \`frond rerun ${advice.runId} --frozen\`.`;
    case "end-run":
      return `Wait for the end of ${advice.runId}, or use Cancel there.`;
    case "recover-runs":
      return "Use Resume in those that are interrupted.";
    case "give-up-run":
      return advice.hasEnded ? `${advice.remedy}.` : `${advice.remedy}, or use Cancel to end it.`;
    case "list-checkpoints":
      return "See the run for what it asks now.";
    case "choose-question":
      return `Answer one of: ${advice.checkpointIds.join(", ")}.`;
    case "give-no-answer":
      return "Use Resume to go on with it.";
    case "let-person-answer":
      return `A person answers on the page, or types \`frond resume ${advice.checkpointId}\`.`;
    case "list-workflows":
      return "See Workflows for those there are.";
    case "check-workflow":
      return `See '${advice.workflow}' under Workflows for what is wrong with it.`;
    case "run-file":
      return `There is a file of that name: type \`frond run ${quote(advice.file)}\`.`;
    case "adopt-file":
      return `Put it into .frond/workflows and type \`frond trust ${quote(advice.project)}\`, or run it with \`frond run ${quote(advice.file)}\`.`;
    case "trust-project":
      return wordTrust(advice);
    case "write-input":
      return `Write it like ${advice.sample}.`;
    case "allow-commands":
      return `Or start the server with ${allowOptions(advice)}.`;
    case "allow-unsafe":
      return "Or start the server without --no-unsafe.";
    case "set-secret":
      return "Set it where the server is started, and start it again.";
    // The form has a field for each input, and nothing here writes files.
    case "give-input":
    case "see-inputs":
    case "give-inputs-file":
    case "replace-file":
      return undefined;
  }
}

function allowOptions({ workflow, workspace }: AllowCommandsAdvice): string {
  return `--allow ${workflow}${workspace === undefined ? "" : ` or --root ${quote(workspace)}`}`;
}

function wordTrust({ file, project, isKnown }: TrustAdvice): string {
  const directory = quote(project);
  const look = isKnown ? `Look at the changes with \`frond trust --diff ${directory}\`` : `Read ${file}`;
  return `${look}, then type \`frond trust ${directory}\`.`;
}

function quote(word: string): string {
  return quoteWord(word, process.platform);
}
