import type { Advice, TrustAdvice } from "../diagnostic/advice.ts";

/** What to type, for a person at a terminal. */
export function wordAdvice(advice: Advice): string | undefined {
  switch (advice.kind) {
    case "list-runs":
      return `${advice.nearest === undefined ? "" : `Did you mean '${advice.nearest}'? `}See \`frond runs\`.`;
    case "start-run":
      return "There are no runs yet: start one with `frond run`.";
    case "choose-run": {
      const more = advice.count - advice.runIds.length;
      return `Say which: ${advice.runIds.join(", ")}${more > 0 ? `, and ${more} more` : ""}.`;
    }
    case "run-again":
      return `\`frond rerun ${advice.runId}\` makes a new run of it.`;
    case "recover-runs":
      return "See `frond runs --status interrupted`; `frond recover` goes on with them.";
    case "give-up-run":
      return advice.hasEnded
        ? `${advice.remedy}.`
        : `${advice.remedy}, or end it with \`frond cancel ${advice.runId}\`.`;
    case "list-checkpoints":
      return "See `frond checkpoints`.";
    case "choose-question":
      return `Name one of: ${advice.checkpointIds.join(", ")}.`;
    case "give-no-answer":
      return `To go on with it, leave --response out: \`frond resume ${advice.runId}\`.`;
    case "let-person-answer":
      return `A person runs \`frond resume ${advice.checkpointId}\` in a terminal.`;
    case "list-workflows":
      return "`frond list` shows the workflows that can be called by name.";
    case "check-workflow":
      return `See \`frond validate ${advice.workflow}\`.`;
    case "run-file":
      return `There is a file of that name: \`frond run ${advice.file}\`.`;
    case "trust-project":
      return wordTrust(advice);
    case "give-input":
      return `Add --input ${advice.input}=VALUE, or put it into --inputs FILE.`;
    case "set-secret":
      return undefined;
  }
}

function wordTrust({ file, project, isKnown }: TrustAdvice): string {
  if (project === undefined) return "Look at it with `frond trust --diff`, then run `frond trust`.";
  const look = isKnown ? "Look at the changes with `frond trust --diff`" : `Read ${file}`;
  return `${look}, then run \`frond trust\` in ${project}, or name the file itself.`;
}
